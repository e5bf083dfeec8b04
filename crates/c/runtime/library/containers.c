/* What the containers of the C++ library leave to functions that are compiled already: balanced trees, lists, hashes of bytes.
 * Here their accesses are the program's. */

#include "library.h"
#include <stdint.h>

/* A node of std::map, std::set and their like. */
struct node {
    enum { RED, BLACK } color;
    struct node *parent, *left, *right;
};

static struct node *leftmost(struct node *node)
{
    while (node->left)
        node = node->left;
    return node;
}

static struct node *rightmost(struct node *node)
{
    while (node->right)
        node = node->right;
    return node;
}

static struct node *next(struct node *node)
{
    if (node->right)
        return leftmost(node->right);
    struct node *parent = node->parent;
    while (node == parent->right) {
        node = parent;
        parent = parent->parent;
    }
    /* The header is the parent of the root, and the root its parent. */
    return node->right != parent ? parent : node;
}

static struct node *previous(struct node *node)
{
    if (node->color == RED && node->parent->parent == node)
        return node->right;
    if (node->left)
        return rightmost(node->left);
    struct node *parent = node->parent;
    while (node == parent->left) {
        node = parent;
        parent = parent->parent;
    }
    return parent;
}

LIBRARY struct node *__wrap__ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *node) { return next(node); }
LIBRARY struct node *__wrap__ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *node) { return next(node); }
LIBRARY struct node *__wrap__ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *node) { return previous(node); }
LIBRARY struct node *__wrap__ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *node) { return previous(node); }

/* Where the pointer to a node is, in its parent or in the header. */
static struct node **link_of(struct node *node, struct node **root)
{
    if (node == *root)
        return root;
    return node == node->parent->left ? &node->parent->left : &node->parent->right;
}

static void rotate_left(struct node *node, struct node **root)
{
    struct node *child = node->right;
    node->right = child->left;
    if (child->left)
        child->left->parent = node;
    child->parent = node->parent;
    *link_of(node, root) = child;
    child->left = node;
    node->parent = child;
}

static void rotate_right(struct node *node, struct node **root)
{
    struct node *child = node->left;
    node->left = child->right;
    if (child->right)
        child->right->parent = node;
    child->parent = node->parent;
    *link_of(node, root) = child;
    child->right = node;
    node->parent = child;
}

LIBRARY void __wrap__ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool left, struct node *node,
                                                                                     struct node *parent, struct node *header)
{
    struct node **root = &header->parent;
    *node = (struct node){.color = RED, .parent = parent};
    if (left) {
        parent->left = node;
        if (parent == header) {
            header->parent = node;
            header->right = node;
        } else if (parent == header->left) {
            header->left = node;
        }
    } else {
        parent->right = node;
        if (parent == header->right)
            header->right = node;
    }
    while (node != *root && node->parent->color == RED) {
        struct node *grandparent = node->parent->parent;
        int is_left = node->parent == grandparent->left;
        struct node *uncle = is_left ? grandparent->right : grandparent->left;
        if (uncle && uncle->color == RED) {
            node->parent->color = BLACK;
            uncle->color = BLACK;
            grandparent->color = RED;
            node = grandparent;
            continue;
        }
        if (is_left) {
            if (node == node->parent->right) {
                node = node->parent;
                rotate_left(node, root);
            }
            node->parent->color = BLACK;
            grandparent->color = RED;
            rotate_right(grandparent, root);
        } else {
            if (node == node->parent->left) {
                node = node->parent;
                rotate_right(node, root);
            }
            node->parent->color = BLACK;
            grandparent->color = RED;
            rotate_left(grandparent, root);
        }
    }
    (*root)->color = BLACK;
}

/* The paths through `node`, which may be null, below `parent` have one black node less than the others. */
static void repair(struct node *node, struct node *parent, struct node **root)
{
    while (node != *root && (!node || node->color == BLACK)) {
        int is_left = node == parent->left;
        struct node *sibling = is_left ? parent->right : parent->left;
        if (sibling->color == RED) {
            sibling->color = BLACK;
            parent->color = RED;
            if (is_left)
                rotate_left(parent, root);
            else
                rotate_right(parent, root);
            sibling = is_left ? parent->right : parent->left;
        }
        struct node *near = is_left ? sibling->left : sibling->right, *far = is_left ? sibling->right : sibling->left;
        int near_is_red = near && near->color == RED, far_is_red = far && far->color == RED;
        if (!near_is_red && !far_is_red) {
            sibling->color = RED;
            node = parent;
            parent = parent->parent;
            continue;
        }
        if (!far_is_red) {
            near->color = BLACK;
            sibling->color = RED;
            if (is_left)
                rotate_right(sibling, root);
            else
                rotate_left(sibling, root);
            sibling = is_left ? parent->right : parent->left;
            far = is_left ? sibling->right : sibling->left;
        }
        sibling->color = parent->color;
        parent->color = BLACK;
        far->color = BLACK;
        if (is_left)
            rotate_left(parent, root);
        else
            rotate_right(parent, root);
        break;
    }
    if (node)
        node->color = BLACK;
}

LIBRARY struct node *__wrap__ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *erased,
                                                                                        struct node *header)
{
    struct node **root = &header->parent;
    struct node *child, *parent;
    int color = erased->color;
    if (erased->left && erased->right) {
        /* The next node takes the place of the erased one. */
        struct node *heir = leftmost(erased->right);
        child = heir->right;
        color = heir->color;
        parent = heir == erased->right ? heir : heir->parent;
        if (heir != erased->right) {
            parent->left = child;
            if (child)
                child->parent = parent;
            heir->right = erased->right;
            heir->right->parent = heir;
        }
        heir->left = erased->left;
        heir->left->parent = heir;
        *link_of(erased, root) = heir;
        heir->parent = erased->parent;
        heir->color = erased->color;
        erased->color = color;
    } else {
        child = erased->left ? erased->left : erased->right;
        parent = erased->parent;
        *link_of(erased, root) = child;
        if (child)
            child->parent = parent;
        if (header->left == erased)
            header->left = child ? leftmost(child) : parent;
        if (header->right == erased)
            header->right = child ? rightmost(child) : parent;
    }
    if (color == BLACK)
        repair(child, parent, root);
    return erased;
}

/* A node of std::list. */
struct link {
    struct link *next, *previous;
};

LIBRARY void __wrap__ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *link, struct link *before)
{
    link->next = before;
    link->previous = before->previous;
    before->previous->next = link;
    before->previous = link;
}

LIBRARY void __wrap__ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *link)
{
    struct link *after = link->next, *before = link->previous;
    before->next = after;
    after->previous = before;
}

LIBRARY void __wrap__ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct link *to, struct link *first, struct link *last)
{
    if (to == last)
        return;
    last->previous->next = to;
    first->previous->next = last;
    to->previous->next = first;
    struct link *before = to->previous;
    to->previous = last->previous;
    last->previous = first->previous;
    first->previous = before;
}

LIBRARY void __wrap__ZNSt8__detail15_List_node_base10_M_reverseEv(struct link *head)
{
    struct link *link = head;
    do {
        struct link *after = link->next;
        link->next = link->previous;
        link->previous = after;
        link = after;
    } while (link != head);
}

/* The neighbours of a head that lists exchange point to it. */
static void settle(struct link *head, struct link *old)
{
    if (head->next == old) {
        head->next = head->previous = head;
    } else {
        head->next->previous = head;
        head->previous->next = head;
    }
}

LIBRARY void __wrap__ZNSt8__detail15_List_node_base4swapERS0_S1_(struct link *one, struct link *other)
{
    struct link copy = *one;
    *one = *other;
    *other = copy;
    settle(one, other);
    settle(other, one);
}

/* Any function of the bytes will do, as long as it is the same one everywhere. */
static size_t hash(const void *bytes, size_t count, size_t seed)
{
    const unsigned char *next = bytes;
    uint64_t hash = seed ^ 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ next[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

LIBRARY size_t __wrap__ZSt11_Hash_bytesPKvmm(const void *bytes, size_t count, size_t seed) { return hash(bytes, count, seed); }
LIBRARY size_t __wrap__ZSt15_Fnv_hash_bytesPKvmm(const void *bytes, size_t count, size_t seed)
{
    return hash(bytes, count, seed);
}

/* When a hash table grows. The C++ library decides, on a copy: what it reads and changes of the table is accessed here. */
struct growth {
    float most_on_average;
    size_t next;
};

struct answer {
    _Bool grows;
    size_t buckets;
};

static void take_back(struct growth *growth, size_t old, size_t new)
{
    if (new != old)
        growth->next = new;
}

size_t __real__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct growth *, size_t);
LIBRARY size_t __wrap__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(struct growth *growth, size_t buckets)
{
    struct growth copy = {growth->most_on_average, growth->next};
    size_t old = copy.next, result = __real__ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(&copy, buckets);
    take_back(growth, old, copy.next);
    return result;
}

struct answer __real__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(struct growth *, size_t, size_t, size_t);
LIBRARY struct answer __wrap__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(
    struct growth *growth, size_t buckets, size_t elements, size_t more)
{
    struct growth copy = {growth->most_on_average, growth->next};
    size_t old = copy.next;
    struct answer answer =
        __real__ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(&copy, buckets, elements, more);
    take_back(growth, old, copy.next);
    return answer;
}
