//! Scans of recordings, on a thread of Node.js's pool.

use std::{path::PathBuf, sync::Arc};

use napi::{
    Env, Task,
    bindgen_prelude::{AsyncTask, Buffer, Either},
};
use napi_derive::napi;
use unstuck_js::Options;
use unstuck_report::{Output, RenderOptions, Report};
use unstuck_scan::{Calls, Meter, Scan, Secrets, known_places};

use crate::NativeGuard;

/// One scan that is still to run.
#[allow(unnameable_types, reason = "the return type of a method of the addon")]
pub struct Scanning {
    options: Options,
    what: What,
    keep_secrets: bool,
    meter: Arc<Meter>,
}

/// Stops a scan.
#[allow(unnameable_types, reason = "a class of the addon")]
#[napi]
#[derive(Default)]
pub struct ScanStop {
    meter: Arc<Meter>,
}

#[napi]
impl ScanStop {
    /// Stops nothing yet.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Files that are being read end here, and no other is begun.
    #[napi]
    pub fn stop(&self) {
        self.meter.stop();
    }
}

enum What {
    /// What agents keep on this machine.
    Everywhere,
    Paths(Vec<String>),
    Bytes(String, Vec<u8>),
}

impl Task for Scanning {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        let scanned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.report()));
        let reason = match scanned {
            Ok(Ok(report)) => return Ok(report),
            Ok(Err(error)) => format!("scan: {error}"),
            Err(_) => "fault: fault in unstuck".to_owned(),
        };
        Err(napi::Error::from_reason(reason))
    }

    fn resolve(&mut self, _: Env, report: String) -> napi::Result<String> {
        Ok(report)
    }
}

impl Scanning {
    /// The report, as `unstuck scan --format json` writes it.
    fn report(&self) -> Result<String, Box<dyn std::error::Error>> {
        let mut scan = Scan::new(self.options.settings.clone())
            .prices(self.options.prices.clone())
            .calls(Calls::Counted);
        if self.keep_secrets {
            scan = scan.secrets(Secrets::Kept);
        }
        let report = match &self.what {
            What::Everywhere => self.read(&scan.places(known_places()?))?,
            What::Paths(paths) => self.read(&scan.paths(paths.iter().map(PathBuf::from)))?,
            What::Bytes(name, bytes) => scan.bytes(name, bytes.as_slice()),
        };
        let json = Output::named("json").ok_or("there is no output `json`")?;
        Ok(json.render(&report, &RenderOptions::default())?)
    }

    fn read(&self, scan: &Scan) -> Result<Report, unstuck_scan::Error> {
        let read = scan.read(scan.find(), &self.meter, |_| ())?;
        Ok(read.into_report())
    }
}

#[napi]
impl NativeGuard {
    /// Reports recordings: those at the paths, one given as bytes, or without either all that agents keep here.
    #[napi]
    pub fn scan(
        &self,
        what: Option<Either<Vec<String>, Buffer>>,
        name: Option<String>,
        keep_secrets: bool,
        stop: Option<&ScanStop>,
    ) -> AsyncTask<Scanning> {
        let what = match what {
            None => What::Everywhere,
            Some(Either::A(paths)) => What::Paths(paths),
            Some(Either::B(bytes)) => What::Bytes(name.unwrap_or_default(), bytes.to_vec()),
        };
        AsyncTask::new(Scanning {
            options: self.guard.options().clone(),
            what,
            keep_secrets,
            meter: stop.map(|stop| stop.meter.clone()).unwrap_or_default(),
        })
    }
}
