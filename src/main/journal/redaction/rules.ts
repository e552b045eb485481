import { type Rule, rule } from './rule'

// A token never begins in the middle of a longer word; a dash or an underscore before it ends one: the removed line of
// a diff, `TOKEN_…`, a file's name. Every quantifier is bounded or ends at a class it excludes.
const B = '(?<![A-Za-z0-9])'
const token = (kind: string, literal: string, body: string): Rule =>
  rule(kind, literal, new RegExp(`${B}${literally(literal)}${body}`, 'g'))
/** A mark so certain that it counts in the middle of a word too: `TOKENghp_…`. */
const certain = (kind: string, literal: string, body: string): Rule =>
  rule(kind, literal, new RegExp(`${literally(literal)}${body}`, 'g'))
const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Tokens that carry their maker's mark. */
export const tokenRules: readonly Rule[] = [
  rule(
    'aws-access-key',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  ),
  token('aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/]{60,200}={0,2}'),
  certain('github-pat', 'ghp_', '[A-Za-z0-9]{30,255}'),
  certain('github-oauth', 'gho_', '[A-Za-z0-9]{30,255}'),
  certain('github-user-token', 'ghu_', '[A-Za-z0-9]{30,255}'),
  certain('github-app-token', 'ghs_', '[A-Za-z0-9]{30,255}'),
  certain('github-refresh-token', 'ghr_', '[A-Za-z0-9]{30,255}'),
  certain('github-pat', 'github_pat_', '[A-Za-z0-9_]{40,255}'),
  certain('gitlab-token', 'glpat-', '[A-Za-z0-9_.-]{20,100}'),
  rule(
    'gitlab-token',
    ['gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'glft-', 'glimt-', 'glagent-'],
    new RegExp(`${B}gl(?:dt|rt|cbt|ptt|soat|ft|imt|agent)-[A-Za-z0-9_.-]{20,100}`, 'g'),
  ),
  rule(
    'slack-token',
    ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xoxe.', 'xoxc-', 'xoxd-'],
    /(?<![a-z])xox[abprscde][-.][A-Za-z0-9%.-]{10,400}/g,
  ),
  token('slack-app-token', 'xapp-', '[A-Za-z0-9-]{20,200}'),
  rule(
    'slack-webhook',
    'hooks.slack.com/',
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/_-]{20,200}/g,
  ),
  rule('stripe-key', ['k_live_', 'k_test_'], /[srp]k_(?:live|test)_[A-Za-z0-9]{10,250}/g),
  token('webhook-secret', 'whsec_', '[A-Za-z0-9+/=]{20,120}'),
  certain('anthropic-key', 'sk-ant-', '[A-Za-z0-9_-]{20,200}'),
  token('openrouter-key', 'sk-or-', '[A-Za-z0-9_-]{20,200}'),
  rule(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,300}/g,
  ),
  rule(
    'openai-key',
    'sk-',
    new RegExp(
      `${B}sk-(?=[A-Za-z0-9]{0,60}[0-9])(?=[A-Za-z0-9]{0,60}[A-Z])[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])`,
      'g',
    ),
  ),
  token('groq-key', 'gsk_', '[A-Za-z0-9]{40,80}'),
  token('xai-key', 'xai-', '[A-Za-z0-9]{60,100}'),
  token('perplexity-key', 'pplx-', '[A-Za-z0-9]{40,80}'),
  token('google-api-key', 'AIza', '[A-Za-z0-9_-]{35}'),
  token('google-oauth-secret', 'GOCSPX-', '[A-Za-z0-9_-]{20,60}'),
  token('google-oauth-token', 'ya29.', '[A-Za-z0-9_.-]{20,500}'),
  rule('google-refresh-token', '1//', new RegExp(`${B}1//0[A-Za-z0-9_-]{40,160}`, 'g')),
  token('huggingface-token', 'hf_', '[A-Za-z0-9]{30,60}'),
  // Nothing but how random it is tells this key from an id: letters in both cases and figures.
  rule(
    'url-key',
    ['?key=', '&key=', 'reset-password/', 'password-reset/'],
    /(?<=[?&]key=|reset-password\/|password-reset\/)(?=[a-zA-Z_-]{0,60}\d)(?=[a-z0-9_-]{0,60}[A-Z])(?=[A-Z0-9_-]{0,60}[a-z])[A-Za-z0-9_-]{24,200}/g,
  ),
  token('replicate-token', 'r8_', '[A-Za-z0-9]{30,60}'),
  token('npm-token', 'npm_', '[A-Za-z0-9]{30,60}'),
  token('pypi-token', 'pypi-', '[A-Za-z0-9_-]{40,300}'),
  token('rubygems-key', 'rubygems_', '[a-f0-9]{40,60}'),
  token('crates-token', 'cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  certain('docker-pat', 'dckr_', '(?:pat|oat)_[A-Za-z0-9_-]{20,60}'),
  rule(
    'digitalocean-token',
    ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    new RegExp(`${B}do[opr]_v1_[a-f0-9]{40,80}`, 'g'),
  ),
  rule('heroku-key', 'HRKU-', new RegExp(`${B}HRKU-[A-Za-z0-9_-]{30,80}`, 'g')),
  rule('sendgrid-key', 'SG.', new RegExp(`${B}SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}`, 'g')),
  rule('mailgun-key', 'key-', new RegExp(`${B}key-[a-f0-9]{32}(?![a-f0-9])`, 'g')),
  rule('mailchimp-key', '-us', /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g),
  rule('twilio-key', 'SK', new RegExp(`${B}SK[a-f0-9]{32}(?![a-f0-9])`, 'g')),
  rule('telegram-bot-token', ':AA', /(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g),
  rule(
    'discord-webhook',
    ['/api/webhooks/', '_api_webhooks_'],
    /discord(?:app)?\.com[/_]api[/_]webhooks[/_]\d{15,22}[/_][A-Za-z0-9_-]{40,100}/g,
  ),
  {
    ...rule(
      'discord-bot-token',
      '.',
      /(?<![A-Za-z0-9.])[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_.-])/g,
    ),
    behind: 24,
    ahead: true,
  },
  rule(
    'shopify-token',
    ['shpat_', 'shpca_', 'shppa_', 'shpss_', 'shptka_'],
    new RegExp(`${B}shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32,64}`, 'g'),
  ),
  rule(
    'square-token',
    ['sq0atp-', 'sq0csp-', 'sq0idp-'],
    new RegExp(`${B}sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,60}`, 'g'),
  ),
  token('square-token', 'EAAA', '[A-Za-z0-9_-]{56,80}'),
  rule('databricks-token', 'dapi', new RegExp(`${B}dapi[a-f0-9]{32}(?:-\\d)?(?![a-f0-9])`, 'g')),
  token('linear-key', 'lin_', '(?:api|oauth)_[A-Za-z0-9]{30,80}'),
  token('notion-token', 'ntn_', '[A-Za-z0-9]{40,60}'),
  token('notion-token', 'secret_', '[A-Za-z0-9]{43}(?![A-Za-z0-9])'),
  token('atlassian-token', 'ATATT3', '[A-Za-z0-9_=-]{60,300}'),
  token('postman-key', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  token('newrelic-key', 'NRAK-', '[A-Z0-9]{27}'),
  token('grafana-token', 'glsa_', '[A-Za-z0-9]{32}_[a-f0-9]{8}'),
  token('grafana-token', 'glc_', '[A-Za-z0-9+/=]{32,300}'),
  rule('sentry-token', ['sntrys_', 'sntryu_'], new RegExp(`${B}sntry[su]_[A-Za-z0-9+/=_]{40,400}`, 'g')),
  rule('vault-token', ['hvs.', 'hvb.', 'hvr.'], new RegExp(`${B}hv[sbr]\\.[A-Za-z0-9_-]{24,300}`, 'g')),
  rule(
    'terraform-token',
    '.atlasv1.',
    new RegExp(`${B}[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}`, 'g'),
  ),
  token('pulumi-token', 'pul-', '[a-f0-9]{40}(?![a-f0-9])'),
  token('planetscale-token', 'pscale_', '(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,80}'),
  rule(
    'doppler-token',
    'dp.',
    new RegExp(`${B}dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}`, 'g'),
  ),
  rule(
    'fly-token',
    ['fo1_', 'FlyV1 '],
    new RegExp(`${B}(?:fo1_[A-Za-z0-9_-]{40,60}|FlyV1 fm\\d_[A-Za-z0-9+/=,_-]{60,800})`, 'g'),
  ),
  token('netlify-token', 'nfp_', '[A-Za-z0-9_]{36,60}'),
  token('supabase-key', 'sbp_', '[a-f0-9]{40}(?![a-f0-9])'),
  token('supabase-key', 'sb_secret_', '[A-Za-z0-9_-]{20,60}'),
  rule('airtable-token', 'pat', new RegExp(`${B}pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}`, 'g')),
  token('figma-token', 'figd_', '[A-Za-z0-9_-]{38,60}'),
  token('dropbox-token', 'sl.', '[A-Za-z0-9_-]{130,170}'),
  token('age-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  token('1password-token', 'ops_', 'eyJ[A-Za-z0-9+/=_-]{200,2000}'),
  token('tailscale-key', 'tskey-', '[A-Za-z0-9-]{20,80}'),
  token('ngrok-token', 'ngrok_', '[A-Za-z0-9_]{30,60}'),
  token('artifactory-token', 'AKCp', '[A-Za-z0-9]{60,80}'),
  token('langsmith-key', 'lsv2_', '(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  rule(
    'jwt',
    'eyJ',
    /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,1000}/g,
  ),
  rule('azure-storage-key', 'AccountKey=', /AccountKey=([A-Za-z0-9+/]{40,100}={0,2})/g, 1),
  rule('azure-sas', 'sig=', /[?&]sig=([A-Za-z0-9%+/]{30,120}(?:%3D|=)?)/g, 1),
]

/** Basic credentials are `user:password` in base64; a word is not. */
const holdsColon = (secret: string): boolean =>
  /^[\x20-\x7E\xA0-\xFF]*:[\x20-\x7E\xA0-\xFF]*$/.test(Buffer.from(secret, 'base64').toString('latin1'))

/** In a header's own place even a short value counts. */
const authorization = (kind: string, schemes: string): Rule =>
  rule(
    kind,
    ['uthorization', 'UTHORIZATION'],
    new RegExp(
      `\\b(?:proxy-)?authorization\\\\?["']?\\s{0,3}[:=]\\s{0,3}\\\\?["']?(?:${schemes})\\s{1,3}([A-Za-z0-9_.~+/=:-]{8,2000})`,
      'gi',
    ),
    1,
    (secret) => /\d/.test(secret) || /^[A-Za-z]*[a-z][A-Z][A-Za-z]*={0,2}$/.test(secret),
  )

/** Secrets known by what stands around them. */
export const contextRules: readonly Rule[] = [
  // The password reaches up to the last @ before the host.
  rule(
    'connection-string',
    '://',
    /\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'`<>]{0,100}:([^\s/"'`<>]{1,200})@[A-Za-z0-9[]/g,
    1,
  ),
  // One that holds a slash; "host:port/…@" is none.
  rule(
    'connection-string',
    '://',
    /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|ldaps?|smtps?|s?ftp)(?:\+[a-z0-9]{1,20})?:\/\/[^\s:@/"'`<>]{0,100}:([^\s"'`<>]{1,200})@[A-Za-z0-9[]/g,
    1,
    (secret) => secret.includes('/') && !/^\d{1,5}\/|:\/\//.test(secret),
  ),
  // As a file is named after it.
  rule(
    'connection-string',
    ':__',
    /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|https?|ftp):__[^\s:@/"'`<>]{0,100}:([^\s:/"'`<>]{1,200})@[A-Za-z0-9[]/g,
    1,
  ),
  // A line of .pgpass: host, port, database, user, password.
  rule(
    'connection-string',
    [':5432:', ':5433:', ':6432:'],
    /(?<![\w.-])[\w.*-]{1,100}:(?:5432|5433|6432):[^:\s]{1,63}:[^:\s]{1,63}:([^\s"'`:]{1,200})/g,
    1,
  ),
  rule('sentry-dsn', '://', /https?:\/\/([0-9a-f]{32})(?::[0-9a-f]{32})?@[\w.-]{1,100}(?::\d{1,5})?\/\d/g, 1),
  authorization('basic-auth', 'basic'),
  authorization('bearer-token', 'bearer'),
  authorization('authorization', 'token|api-?key|digest|bot'),
  rule(
    'docker-auth',
    '"auth',
    /\\?"auth\\?"\s{0,3}:\s{0,3}\\?"([A-Za-z0-9+/]{8,2000}={0,2})\\?"/g,
    1,
    holdsColon,
  ),
  rule(
    'kube-client-key',
    'client-key-data',
    /client-key-data\\?["']?\s{0,3}:\s{0,3}\\?["']?([A-Za-z0-9+/]{24,16000}={0,2})/g,
    1,
  ),
  rule(
    'basic-auth',
    ['Basic ', 'basic '],
    /\b[Bb]asic\s+([A-Za-z0-9+/]{12,300}={0,2})(?![A-Za-z0-9+/])/g,
    1,
    holdsColon,
  ),
  rule('bearer-token', ['Bearer ', 'bearer '], /\b[Bb]earer\s+([A-Za-z0-9_.~+/-]{16,2000}={0,2})/g, 1),
  rule('cookie', ['ookie: ', 'OOKIE: '], /\b[Cc](?:ookie|OOKIE): ?([^\r\n"'`]{8,2000})/g, 1, (value) =>
    /[\w-]=[^\s;,()]{6}/.test(value),
  ),
  rule(
    'netrc-password',
    'machine ',
    /\bmachine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+(\S{1,200})/g,
    1,
  ),
]

export const PRIVATE_KEY_BEGIN =
  /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g
