//! The attribute `#[mazurka::test]` and the derive macro of `mazurka::actor::Message`.

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

/// Makes every variant of an enum a kind of message of its own.
#[proc_macro_derive(Message)]
pub fn message(item: TokenStream) -> TokenStream {
    match kinds_of(item) {
        Ok((name, variants)) => implementation(&name, &variants),
        Err(problem) => error(problem),
    }
}

/// The name of an enum and those of its variants.
fn kinds_of(item: TokenStream) -> Result<(String, Vec<String>), &'static str> {
    const WHAT: &str = "#[derive(Message)] is for enums without parameters; implement mazurka::actor::Message by hand";
    let mut tokens = item.into_iter().skip_while(|token| !is_word(token, "enum")).skip(1);
    let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) = (tokens.next(), tokens.next()) else {
        return Err(WHAT);
    };
    let variants: Vec<String> = split(body.stream()).into_iter().filter_map(variant).collect();
    match variants.len() {
        0 => Err("a message that cannot be made cannot be sent"),
        1..=31 => Ok((name.to_string(), variants)),
        _ => Err("there can be at most 31 kinds of message: put some into an enum within a variant"),
    }
}

/// The name of a variant, behind its attributes.
fn variant(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter();
    loop {
        match tokens.next()? {
            TokenTree::Punct(_) => drop(tokens.next()),
            TokenTree::Ident(name) => return Some(name.to_string()),
            _ => return None,
        }
    }
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}

fn implementation(name: &str, variants: &[String]) -> TokenStream {
    let names: String = variants.iter().map(|variant| format!("{variant:?}, ")).collect();
    let arms = variants.iter().enumerate();
    let arms: String = arms.map(|(kind, variant)| format!("{name}::{variant} {{ .. }} => {kind}, ")).collect();
    let text = format!(
        "impl ::mazurka::actor::Message for {name} {{
            const KINDS: &'static [&'static str] = &[{names}];
            fn kind(&self) -> u8 {{ match self {{ {arms} }} }}
        }}"
    );
    text.parse().expect("an implementation")
}
