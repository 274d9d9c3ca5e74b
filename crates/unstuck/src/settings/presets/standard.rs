//! `standard`: all rules, judged by results. Recommended for agents.

use super::founding;
use crate::settings::{
    IdentitySettings, Nudges, OnUser, PolicySettings, Preset, Relapse, Rules, Rung, Settings,
};

pub(in crate::settings) fn settings() -> Settings {
    Settings {
        rules: Rules::standard(),
        identity: IdentitySettings::STANDARD,
        policy: PolicySettings {
            nudges: Nudges::WhenGrown,
            relapse: Relapse::Climb,
            denials_before_halt: Rung::at(10),
            nudges_before_denial: Rung::at(3),
            on_user: OnUser::RestartStreaks,
        },
        ..founding(Preset::Standard)
    }
}
