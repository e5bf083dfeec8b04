//! The attribute `#[mazurka::test]`.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Makes a function a test whose body is explored under every interleaving that can matter: `fn name() { … }` becomes a
/// `#[test]` that calls `mazurka::check(|| { … })`.
///
/// Arguments are methods of `mazurka::Checker`: `#[mazurka::test(max_executions(1000), seed(7))]`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let body = match tokens.pop() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
        _ => return error("#[mazurka::test] is for functions"),
    };
    if tokens.iter().any(|token| matches!(token, TokenTree::Ident(ident) if ident.to_string() == "async")) {
        return error(
            "#[mazurka::test] is for functions that are not async; use mazurka::future::block_on in the body",
        );
    }
    let mut checker: TokenStream = "::mazurka::Checker::from_env()".parse().expect("a path");
    for argument in split(arguments) {
        checker.extend([TokenTree::Punct(Punct::new('.', Spacing::Alone))]);
        checker.extend(argument);
    }
    let mut closure: TokenStream = "||".parse().expect("a closure");
    closure.extend([TokenTree::Group(body)]);
    checker.extend(".assert".parse::<TokenStream>().expect("a method"));
    checker.extend([TokenTree::Group(Group::new(Delimiter::Parenthesis, closure))]);
    let mut result: TokenStream = "#[::core::prelude::v1::test]".parse().expect("an attribute");
    result.extend(tokens);
    result.extend([TokenTree::Group(Group::new(Delimiter::Brace, checker))]);
    result
}

/// The arguments between commas.
fn split(arguments: TokenStream) -> Vec<TokenStream> {
    let mut found = vec![TokenStream::new()];
    for token in arguments {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => found.push(TokenStream::new()),
            _ => found.last_mut().expect("never empty").extend([token]),
        }
    }
    found.retain(|argument| !argument.is_empty());
    found
}

fn error(message: &str) -> TokenStream {
    let mut text = TokenStream::new();
    text.extend([TokenTree::Literal(proc_macro::Literal::string(message))]);
    let mut call: TokenStream = TokenStream::from(TokenTree::Ident(Ident::new("compile_error", Span::call_site())));
    call.extend("!".parse::<TokenStream>().expect("a mark"));
    call.extend([
        TokenTree::Group(Group::new(Delimiter::Parenthesis, text)),
        TokenTree::Punct(Punct::new(';', Spacing::Alone)),
    ]);
    call
}
