//! The address of a server, and how connections to it are made: plain, or by TLS.
//!
//! Where TLS is used the server's certificate and its name are always verified, as `verify-full` of PostgreSQL's own programs
//! does: whoever can pass for the server decides what workers run.

use crate::Problem;
use percent_encoding::percent_decode_str;
use postgres::config::SslMode;
use postgres::{Client, NoTls};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// What stands in the address for TLS with everything verified.
const TLS: [&str; 3] = ["require", "verify-ca", "verify-full"];

/// An address, understood.
#[derive(Clone)]
pub(crate) struct Address {
    pub(crate) config: postgres::Config,
    tls: Option<MakeRustlsConnect>,
}

impl Address {
    /// Understands an address.
    pub(crate) fn parse(url: &str) -> Result<Self, Problem> {
        let (plain, root) = without_root(url);
        let plain = TLS[1..].iter().fold(plain, |url, mode| url.replace(&format!("sslmode={mode}"), "sslmode=require"));
        let mut config: postgres::Config =
            plain.parse().map_err(|error| Problem::NoAddress(crate::store::in_words(&error)))?;
        if root.is_some() && config.get_ssl_mode() == SslMode::Disable {
            return Err(Problem::NoAddress("sslrootcert is for TLS, which sslmode=disable turns off".to_owned()));
        }
        let is_wanted = root.is_some() || config.get_ssl_mode() == SslMode::Require;
        if !is_wanted {
            return Ok(Address { config, tls: None });
        }
        config.ssl_mode(SslMode::Require);
        Ok(Address { config, tls: Some(connector(root.as_deref())?) })
    }

    pub(crate) fn connect(&self) -> Result<Client, postgres::Error> {
        match &self.tls {
            Some(tls) => self.config.connect(tls.clone()),
            None => self.config.connect(NoTls),
        }
    }
}

/// The address without the file of authorities, which is not sent to the server, and that file.
fn without_root(url: &str) -> (String, Option<String>) {
    let Some((start, query)) = url.split_once('?') else { return (url.to_owned(), None) };
    let (roots, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(|part| part.starts_with("sslrootcert="));
    let file = roots.first().and_then(|part| part.strip_prefix("sslrootcert="));
    let file = file.map(|file| percent_decode_str(file).decode_utf8_lossy().into_owned());
    let rest = if others.is_empty() { String::new() } else { format!("?{}", others.join("&")) };
    (format!("{start}{rest}"), file)
}

/// Verifies certificates by the authorities in a file, or by those of this machine.
fn connector(root: Option<&str>) -> Result<MakeRustlsConnect, Problem> {
    let mut roots = RootCertStore::empty();
    match root {
        Some(file) => {
            let unread = |why: String| Problem::NoAddress(format!("cannot use sslrootcert '{file}': {why}"));
            let certificates = CertificateDer::pem_file_iter(file).map_err(|error| unread(error.to_string()))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|error| unread(error.to_string()))?;
                roots.add(certificate).map_err(|error| unread(error.to_string()))?;
            }
            if roots.is_empty() {
                return Err(unread("there is no certificate in it".to_owned()));
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("the provider has the versions of its own defaults");
    Ok(MakeRustlsConnect::new(builder.with_root_certificates(roots).with_no_client_auth()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_authorities_is_taken_out() {
        let url = "postgres://a@b/c?sslmode=verify-full&sslrootcert=%2Fetc%2Fmy%20ca.pem&connect_timeout=3";
        let (rest, file) = without_root(url);
        assert_eq!(rest, "postgres://a@b/c?sslmode=verify-full&connect_timeout=3");
        assert_eq!(file.as_deref(), Some("/etc/my ca.pem"));
        assert_eq!(without_root("postgres://a@b/c"), ("postgres://a@b/c".to_owned(), None));
    }

    #[test]
    fn tls_is_used_where_it_is_asked_for() {
        let tls = |url: &str| Address::parse(url).expect("an address").tls.is_some();
        assert!(!tls("postgres://a@b/c") && !tls("postgres://a@b/c?sslmode=disable"));
        assert!(tls("postgres://a@b/c?sslmode=require") && tls("postgres://a@b/c?sslmode=verify-full"));
        let wrong = |url: &str| Address::parse(url).err().expect("no address").to_string();
        assert!(wrong("postgres://a@b/c?sslrootcert=/nowhere.pem").contains("cannot use sslrootcert '/nowhere.pem'"));
        assert!(wrong("postgres://a@b/c?sslmode=disable&sslrootcert=/nowhere.pem").contains("turns off"));
        assert!(wrong("postgres://a@b/c?sslmode=always").contains("not understood"));
    }
}
