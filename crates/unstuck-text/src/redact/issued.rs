//! Keys and tokens that their issuers mark by how they begin.

use super::table::table;

/// How a key begins, and the fewest characters that follow.
pub(super) struct Issued(pub(super) &'static str, pub(super) usize);

table! { Issued;
    Issued("sk-", 16), "OpenAI key", "«sk-{A48}»", "sk-learn and sk-toggleable__label-arrow";
    Issued("sk-proj-", 16), "OpenAI project key", "«sk-proj-{A64}»", "sk-proj-";
    Issued("sk-svcacct-", 16), "OpenAI service account key", "«sk-svcacct-{A64}»", "sk-svcacct-";
    Issued("sk-admin-", 16), "OpenAI admin key", "«sk-admin-{A64}»", "sk-admin-";
    Issued("sk-ant-", 16), "Anthropic key", "«sk-ant-api03-{A93}»", "sk-ant-";
    Issued("sk-or-v1-", 16), "OpenRouter key", "«sk-or-v1-{h64}»", "sk-or-v1-";
    Issued("sk-lf-", 16), "Langfuse key", "«sk-lf-{G}»", "sk-lf-";
    Issued("sk_live_", 8), "Stripe secret key", "«sk_live_{A24}»", "sk_live_";
    Issued("sk_test_", 8), "Stripe test key", "«sk_test_{A24}»", "sk_test_";
    Issued("sk_", 20), "Clerk or ElevenLabs key", "«sk_{h48}»", "sk_buff_head";
    Issued("pk_live_", 8), "Stripe public key", "«pk_live_{A24}»", "pk_live_";
    Issued("rk_live_", 8), "Stripe restricted key", "«rk_live_{A24}»", "rk_live_";
    Issued("rk_test_", 8), "Stripe restricted test key", "«rk_test_{A24}»", "rk_test_";
    Issued("whsec_", 8), "Stripe webhook secret", "«whsec_{A32}»", "whsec_";
    Issued("sq0atp-", 8), "Square access token", "«sq0atp-{A22}»", "sq0atp-";
    Issued("sq0csp-", 8), "Square secret", "«sq0csp-{A43}»", "sq0csp-";
    Issued("sqOatp-", 8), "Square access token, old", "«sqOatp-{A22}»", "sqOatp-";
    Issued("access_token$production$", 8), "Braintree access token", "«access_token$production${l16}${h32}»", "access_token$production";
    Issued("ghp_", 8), "GitHub personal access token", "«ghp_{A36}»", "ghp_ is how it begins";
    Issued("gho_", 8), "GitHub OAuth token", "«gho_{A36}»", "gho_";
    Issued("ghu_", 8), "GitHub user token", "«ghu_{A36}»", "ghu_";
    Issued("ghs_", 8), "GitHub server token", "«ghs_{A36}»", "ghs_";
    Issued("ghr_", 8), "GitHub refresh token", "«ghr_{A36}»", "ghr_";
    Issued("github_pat_", 8), "GitHub fine-grained token", "«github_pat_{A22}_{A59}»", "github_pat_";
    Issued("glpat-", 8), "GitLab personal access token", "«glpat-{A20}»", "glpat-";
    Issued("glptt-", 8), "GitLab trigger token", "«glptt-{h40}»", "glptt-";
    Issued("gldt-", 8), "GitLab deploy token", "«gldt-{A20}»", "gldt-";
    Issued("glrt-", 8), "GitLab runner token", "«glrt-{A20}»", "glrt-";
    Issued("glcbt-", 8), "GitLab job token", "«glcbt-{A20}»", "glcbt-";
    Issued("glimt-", 8), "GitLab mail token", "«glimt-{A20}»", "glimt-";
    Issued("glagent-", 8), "GitLab agent token", "«glagent-{A40}»", "glagent-";
    Issued("gloas-", 8), "GitLab OAuth secret", "«gloas-{h64}»", "gloas-";
    Issued("glft-", 8), "GitLab feed token", "«glft-{A20}»", "glft-";
    Issued("GR1348941", 16), "GitLab registration token", "«GR1348941{A20}»", "GR1348941";
    Issued("glsoat-", 8), "GitLab service account token", "«glsoat-{A20}»", "glsoat-";
    Issued("ATBB", 24), "Bitbucket app password", "«ATBB{A32}»", "ATBB";
    Issued("ATATT3", 24), "Atlassian token", "«ATATT3{A60}»", "ATATT3";
    Issued("ATCTT3", 24), "Atlassian access token", "«ATCTT3{A60}»", "ATCTT3";
    Issued("xoxb-", 8), "Slack bot token", "«xoxb-{d12}-{d12}-{A24}»", "xoxb-";
    Issued("xoxp-", 8), "Slack user token", "«xoxp-{d12}-{d12}-{d12}-{h32}»", "xoxp-";
    Issued("xoxa-", 8), "Slack app token, old", "«xoxa-2-{d12}-{A24}»", "xoxa-";
    Issued("xoxr-", 8), "Slack refresh token", "«xoxr-{d12}-{A24}»", "xoxr-";
    Issued("xoxs-", 8), "Slack session token", "«xoxs-{d12}-{A24}»", "xoxs-";
    Issued("xoxc-", 8), "Slack client token", "«xoxc-{d12}-{h64}»", "xoxc-";
    Issued("xoxd-", 8), "Slack cookie", "«xoxd-{A80}»", "xoxd-";
    Issued("xoxe", 12), "Slack rotating token", "«xoxe.xoxp-1-{A40}»", "xoxe";
    Issued("xapp-", 8), "Slack app token", "«xapp-1-{u11}-{d13}-{h64}»", "xapp-";
    Issued("AKIA", 12), "AWS access key", "«AKIA{u16}»", "AKIA";
    Issued("ASIA", 12), "AWS temporary key", "«ASIA{u16}»", "ASIA PACIFIC";
    Issued("ABIA", 12), "AWS bearer token", "«ABIA{u16}»", "ABIA";
    Issued("ACCA", 12), "AWS context key", "«ACCA{u16}»", "ACCA";
    Issued("ABSK", 60), "AWS Bedrock key", "«ABSK{b80}»", "ABSK";
    Issued("AIza", 16), "Google API key", "«AIza{A35}»", "AIza";
    Issued("ya29.", 8), "Google OAuth token", "«ya29.{A60}»", "ya29.";
    Issued("1//0", 16), "Google refresh token", "«1//0{A60}»", "1//0";
    Issued("GOCSPX-", 8), "Google client secret", "«GOCSPX-{A28}»", "GOCSPX-";
    Issued("npm_", 16), "npm token", "«npm_{A36}»", "npm_config_registry and npm_lifecycle_event";
    Issued("pypi-", 16), "PyPI token", "«pypi-AgEIcHlwaS5vcmc{A80}»", "pypi-server-2";
    Issued("rubygems_", 16), "RubyGems key", "«rubygems_{h48}»", "rubygems_update";
    Issued("dckr_pat_", 8), "Docker token", "«dckr_pat_{A27}»", "dckr_pat_";
    Issued("dckr_oat_", 8), "Docker organisation token", "«dckr_oat_{A27}»", "dckr_oat_";
    Issued("hf_", 16), "Hugging Face token", "«hf_{A34}»", "hf_hub_download";
    Issued("api_org_", 16), "Hugging Face organisation token", "«api_org_{A34}»", "api_org_name";
    Issued("r8_", 20), "Replicate token", "«r8_{A37}»", "r8_unorm";
    Issued("gsk_", 20), "Groq key", "«gsk_{A52}»", "gsk_widget_show";
    Issued("pplx-", 16), "Perplexity key", "«pplx-{h48}»", "pplx-api";
    Issued("xai-", 16), "xAI key", "«xai-{A80}»", "xai-org";
    Issued("tgp_v1_", 16), "Together key", "«tgp_v1_{A43}»", "tgp_v1_";
    Issued("nvapi-", 16), "NVIDIA key", "«nvapi-{A64}»", "nvapi-";
    Issued("fw_", 20), "Fireworks key", "«fw_{A24}»", "fw_printenv";
    Issued("jina_", 20), "Jina key", "«jina_{h32}{A28}»", "jina_embeddings_v2";
    Issued("lsv2_", 16), "LangSmith key", "«lsv2_pt_{h32}_{h10}»", "lsv2_";
    Issued("pcsk_", 16), "Pinecone key", "«pcsk_{A64}»", "pcsk_";
    Issued("tvly-", 16), "Tavily key", "«tvly-{A32}»", "tvly-dev";
    Issued("fc-", 28), "Firecrawl key", "«fc-{h32}»", "fc-list";
    Issued("sbp_", 16), "Supabase token", "«sbp_{h40}»", "sbp_";
    Issued("sb_secret_", 8), "Supabase secret", "«sb_secret_{A31}»", "sb_secret_";
    Issued("pscale_tkn_", 8), "PlanetScale token", "«pscale_tkn_{A43}»", "pscale_tkn_";
    Issued("pscale_pw_", 8), "PlanetScale password", "«pscale_pw_{A43}»", "pscale_pw_";
    Issued("pscale_oauth_", 8), "PlanetScale OAuth token", "«pscale_oauth_{A43}»", "pscale_oauth_";
    Issued("napi_", 20), "Neon key", "«napi_{l64}»", "napi_schedule";
    Issued("shpat_", 8), "Shopify access token", "«shpat_{h32}»", "shpat_";
    Issued("shpca_", 8), "Shopify custom app token", "«shpca_{h32}»", "shpca_";
    Issued("shpss_", 8), "Shopify shared secret", "«shpss_{h32}»", "shpss_";
    Issued("shppa_", 8), "Shopify private app token", "«shppa_{h32}»", "shppa_";
    Issued("SG.", 20), "SendGrid key", "«SG.{A22}.{A43}»", "SG.com";
    Issued("key-", 28), "Mailgun key", "«key-{h32}»", "key-value-store";
    Issued("xkeysib-", 8), "Brevo key", "«xkeysib-{h64}-{A16}»", "xkeysib-";
    Issued("re_", 20), "Resend key", "«re_{A8}_{A24}»", "re_compile_pattern";
    Issued("dop_v1_", 8), "DigitalOcean token", "«dop_v1_{h64}»", "dop_v1_";
    Issued("doo_v1_", 8), "DigitalOcean OAuth token", "«doo_v1_{h64}»", "doo_v1_";
    Issued("dor_v1_", 8), "DigitalOcean refresh token", "«dor_v1_{h64}»", "dor_v1_";
    Issued("hvs.", 12), "Vault token", "«hvs.{A24}»", "hvs.py";
    Issued("hvb.", 12), "Vault batch token", "«hvb.{A60}»", "hvb.py";
    Issued("hvr.", 12), "Vault recovery token", "«hvr.{A60}»", "hvr.py";
    Issued("s.", 20), "Vault token, old", "«s.{A24}»", "s.split and s.replace_all_matches";
    Issued("b.", 20), "Vault batch token, old", "«b.{A24}»", "b.readable_representation";
    Issued("lin_api_", 8), "Linear key", "«lin_api_{A40}»", "lin_api_";
    Issued("lin_oauth_", 8), "Linear OAuth token", "«lin_oauth_{h64}»", "lin_oauth_";
    Issued("ntn_", 20), "Notion token", "«ntn_{A43}»", "ntn_";
    Issued("secret_", 28), "Notion secret, old", "«secret_{A43}»", "secret_key_base and secret_detector_for_everything";
    Issued("figd_", 16), "Figma token", "«figd_{A40}»", "figd_";
    Issued("figo_", 16), "Figma OAuth token", "«figo_{A40}»", "figo_";
    Issued("PMAK-", 8), "Postman key", "«PMAK-{h24}-{h34}»", "PMAK-";
    Issued("EAAC", 30), "Facebook token", "«EAACEdEose0cBA{A40}»", "EAAC";
    Issued("EAAG", 30), "Facebook page token", "«EAAG{A60}»", "EAAG";
    Issued("IGQV", 30), "Instagram token", "«IGQV{A60}»", "IGQV";
    Issued("atlasv1.", 8), "Terraform Cloud token", "«{A14}.atlasv1.{A60}»", "atlasv1.";
    Issued("dapi", 30), "Databricks token", "«dapi{h32}»", "dapi";
    Issued("dose", 30), "Databricks OAuth secret", "«dose{h32}»", "dose";
    Issued("dp.pt.", 8), "Doppler token", "«dp.pt.{A43}»", "dp.pt.";
    Issued("dp.st.", 8), "Doppler service token", "«dp.st.{A43}»", "dp.st.";
    Issued("eyJ", 12), "JSON web token", "«eyJhbGciOiJIUzI1NiJ9.{A60}.{A43}»", "eyJ";
    Issued("NRAK-", 8), "New Relic user key", "«NRAK-{u27}»", "NRAK-";
    Issued("NRJS-", 8), "New Relic browser key", "«NRJS-{h19}»", "NRJS-";
    Issued("NRII-", 8), "New Relic insights key", "«NRII-{A32}»", "NRII-";
    Issued("NRRA-", 8), "New Relic REST key", "«NRRA-{h42}»", "NRRA-";
    Issued("glc_", 20), "Grafana Cloud token", "«glc_{b60}»", "glc_context";
    Issued("glsa_", 16), "Grafana service account token", "«glsa_{A32}_{h8}»", "glsa_";
    Issued("dt0c01.", 8), "Dynatrace token", "«dt0c01.{u24}.{u64}»", "dt0c01.";
    Issued("dt0s16.", 8), "Dynatrace platform token", "«dt0s16.{u8}.{u64}»", "dt0s16.";
    Issued("sntrys_", 16), "Sentry organisation token", "«sntrys_{b80}»", "sntrys_";
    Issued("sntryu_", 16), "Sentry user token", "«sntryu_{h64}»", "sntryu_";
    Issued("ddp_", 20), "Datadog personal token", "«ddp_{A36}»", "ddp_";
    Issued("ops_eyJ", 8), "1Password service account token", "«ops_eyJ{A60}»", "ops_eyJ";
    Issued("A3-", 20), "1Password secret key", "«A3-{u6}-{u11}-{u5}-{u5}-{u5}»", "A3-size";
    Issued("AGE-SECRET-KEY-1", 16), "age key", "«AGE-SECRET-KEY-1{u58}»", "AGE-SECRET-KEY-1";
    Issued("tskey-", 12), "Tailscale key", "«tskey-auth-{A12}-{A32}»", "tskey-auth";
    Issued("fo1_", 20), "Fly token", "«fo1_{A43}»", "fo1_";
    Issued("FlyV1", 20), "Fly macaroon", "FlyV1 «fm2_{b80}»", "FlyV1";
    Issued("fm2_", 20), "Fly macaroon body", "«fm2_{b80}»", "fm2_";
    Issued("rnd_", 20), "Render key", "«rnd_{A32}»", "rnd_generator";
    Issued("nfp_", 20), "Netlify token", "«nfp_{A36}»", "nfp_";
    Issued("vcp_", 20), "Vercel token", "«vcp_{A56}»", "vcp_";
    Issued("rpa_", 20), "RunPod key", "«rpa_{u40}»", "rpa_";
    Issued("pul-", 24), "Pulumi token", "«pul-{h40}»", "pul-";
    Issued("ATTA", 40), "Trello token", "«ATTA{h64}»", "ATTA";
    Issued("oy2", 40), "NuGet key", "«oy2{l43}»", "oy2";
    Issued("cio", 30), "crates.io token", "«cio{A32}»", "cio";
    Issued("CFPAT-", 16), "Contentful token", "«CFPAT-{A43}»", "CFPAT-";
    Issued("v1.0-", 60), "Cloudflare origin key", "«v1.0-{h24}-{h146}»", "v1.0-beta.3-with-a-long-name";
    Issued("cfut_", 20), "Cloudflare token", "«cfut_{A40}»", "cfut_";
    Issued("duffel_test_", 16), "Duffel token", "«duffel_test_{A43}»", "duffel_test_";
    Issued("duffel_live_", 16), "Duffel live token", "«duffel_live_{A43}»", "duffel_live_";
    Issued("EZAK", 40), "EasyPost key", "«EZAK{A54}»", "EZAK";
    Issued("EZTK", 40), "EasyPost test key", "«EZTK{A54}»", "EZTK";
    Issued("FLWSECK", 12), "Flutterwave key", "«FLWSECK_TEST-{h32}-X»", "FLWSECK";
    Issued("live_", 24), "Mollie or Cashfree key", "«live_{A30}»", "live_reload";
    Issued("rzp_live_", 8), "Razorpay key", "«rzp_live_{A14}»", "rzp_live_";
    Issued("rzp_test_", 8), "Razorpay test key", "«rzp_test_{A14}»", "rzp_test_";
    Issued("t1.", 60), "Yandex token", "«t1.{A80}.{A86}»", "t1.micro";
    Issued("AQVN", 30), "Yandex API key", "«AQVN{A36}»", "AQVN";
    Issued("LTAI", 16), "Alibaba Cloud key", "«LTAI{A20}»", "LTAI";
    Issued("AKID", 28), "Tencent Cloud key", "«AKID{A32}»", "AKID";
    Issued("p8e-", 28), "Adobe secret", "«p8e-{h32}»", "p8e-";
    Issued("HRKU-", 16), "Heroku token", "«HRKU-{G}»", "HRKU-";
    Issued("ory_", 24), "Ory token", "«ory_at_{A43}»", "ory_hydra";
    Issued("phc_", 24), "PostHog key", "«phc_{A43}»", "phc_";
    Issued("phx_", 24), "PostHog personal key", "«phx_{A43}»", "phx_";
    Issued("sl.", 60), "Dropbox token", "«sl.{A130}»", "sl.txt";
    Issued("npg_", 8), "Neon password", "«npg_{A12}»", "npg_";
    Issued("access-production-", 24), "Plaid token", "«access-production-{G}»", "access-production-";
    Issued("access-sandbox-", 24), "Plaid test token", "«access-sandbox-{G}»", "access-sandbox-";
    Issued("access-development-", 24), "Plaid development token", "«access-development-{G}»", "access-development-";
    Issued("pk-lf-", 16), "Langfuse public key", "«pk-lf-{G}»", "pk-lf-";
    Issued("pat-na1-", 16), "HubSpot token", "«pat-na1-{G}»", "pat-na1-";
    Issued("pat-eu1-", 16), "HubSpot token, Europe", "«pat-eu1-{G}»", "pat-eu1-";
    Issued("sb_publishable_", 8), "Supabase public key", "«sb_publishable_{A22}_{A8}»", "sb_publishable_";
    Issued("md-", 20), "Mandrill key", "«md-{A22}»", "md-dialog-container";
    Issued("AIPA", 12), "AWS instance profile", "«AIPA{u16}»", "AIPA";
    Issued("AROA", 12), "AWS role", "«AROA{u17}»", "AROA";
    Issued("AIDA", 12), "AWS user", "«AIDA{u17}»", "AIDA";
    Issued("SK", 30), "Twilio key", "«SK{h32}»", "SKIPPED";
    Issued("AC", 30), "Twilio account", "«AC{h32}»", "ACCEPTED";
}

/// The second bytes of the shapes that begin with a byte, one bit each: most words need no look at any shape.
static SECOND: [u128; 128] = {
    let mut second = [0; 128];
    let mut at = 0;
    while at < TABLE.len() {
        let start = TABLE[at].0.as_bytes();
        second[start[0] as usize] |= 1 << start[1];
        at += 1;
    }
    second
};

/// In place of a shape where there is none.
const NONE: u8 = u8::MAX;

/// The first shape that begins with a byte.
static FIRST: [u8; 128] = shapes_by_first_byte().0;

/// The next shape that begins with the same byte, for each shape.
static NEXT: [u8; TABLE.len()] = shapes_by_first_byte().1;

const fn shapes_by_first_byte() -> ([u8; 128], [u8; TABLE.len()]) {
    assert!(TABLE.len() < NONE as usize);
    let mut first = [NONE; 128];
    let mut next = [NONE; TABLE.len()];
    let mut at = TABLE.len();
    while at > 0 {
        at -= 1;
        let begins = &mut first[TABLE[at].0.as_bytes()[0] as usize];
        next[at] = *begins;
        *begins = at as u8;
    }
    (first, next)
}

/// Whether the first two bytes of a word are those of some key.
#[inline]
pub(super) fn may_be_issued(word: &[u8]) -> bool {
    let [first @ 0..128, second @ 0..128, ..] = word else {
        return false;
    };
    SECOND[usize::from(*first)] >> second & 1 == 1
}

/// Whether a word begins as a key of some issuer does, and goes on as one. Words are ASCII.
pub(super) fn is_issued(word: &[u8]) -> bool {
    let [first, second, ..] = word else {
        return false;
    };
    if !may_be_issued(word) {
        return false;
    }
    let mut at = FIRST.get(usize::from(*first)).copied().unwrap_or(NONE);
    while let Some(Issued(start, least)) = TABLE.get(usize::from(at)) {
        let fits = start.as_bytes()[1] == *second
            && word
                .strip_prefix(start.as_bytes())
                .is_some_and(|rest| rest.len() >= *least && is_varied(rest));
        if fits {
            return true;
        }
        at = NEXT[usize::from(at)];
    }
    false
}

/// A digit, or letters of both cases: what names in programs have seldom, and random keys nearly always.
fn is_varied(rest: &[u8]) -> bool {
    rest.iter().any(u8::is_ascii_digit)
        || rest.iter().any(u8::is_ascii_uppercase) && rest.iter().any(u8::is_ascii_lowercase)
}
