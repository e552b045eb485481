import { entropy, PLACEHOLDER } from './passwords'
import { type Rule, rule } from './rule'

// Passwords given to a program on its command line, in a statement of SQL or in a header. Every quantifier is bounded.

/** A value as a shell takes it: bare or behind a quote, no variable, no option. */
const VALUE = `["']?([^\\s"'\`$<{-][^\\s"'\`|;]{2,200})`
const command = (
  names: string,
  literals: string | readonly string[],
  tail: string,
  accept: (secret: string) => boolean = isGiven,
): Rule =>
  rule('cli-password', literals, new RegExp(`\\b(?:${names})\\b[^\\n|;]{0,200}?\\s${tail}`, 'g'), 1, accept)

/** Not what documentation writes in a value's place. */
function isGiven(secret: string): boolean {
  return !PLACEHOLDER.test(secret) && !/^(?:pass(?:word)?|pw|pwd|secret|token)\b/i.test(secret)
}
/** Where prose may stand too, a word is none. */
const isMixed = (secret: string): boolean =>
  isGiven(secret) &&
  secret.length >= 6 &&
  /\d/.test(secret) &&
  /\p{L}/u.test(secret) &&
  entropy(secret) >= 2.3
const isNoPort = (secret: string): boolean => isGiven(secret) && !/^\d{1,5}$/.test(secret)

export const commandRules: readonly Rule[] = [
  command(
    'mysql(?:dump|admin|import|show|check)?|mariadb(?:-dump|-admin)?',
    ['mysql', 'mariadb'],
    `-p["']?([^\\s"'\`$<{-][^\\s"'\`]{3,200})`,
    (secret) => !/^(?:ort|ath|rotocol|ass(?:word)?|rint\w*|lugin\w*|ipe)\b/.test(secret),
  ),
  rule(
    'cli-password',
    'login',
    /\b(?:docker|podman|helm|az|nerdctl|buildah|skopeo)\b[^\n|;]{0,60}?\blogin\b[^\n|;]{0,200}?\s-p[ =]?["']?([^\s"'`$<{-][^\s"'`]{3,200})/g,
    1,
  ),
  rule('cli-password', 'sshpass', /\bsshpass\s{1,3}-p\s{0,3}["']?([^\s"'`$<{][^\s"'`]{2,200})/g, 1),
  command('redis-cli', 'redis-cli', `(?:-a|--pass)[ =]\\s{0,3}["']?([^\\s"'\`$<{][^\\s"'\`]{2,200})`),
  command(
    'mongo(?:sh|dump|restore|import|export)?|cqlsh|cypher-shell|rabbitmqadmin',
    ['mongo', 'cqlsh', 'cypher-shell', 'rabbitmqadmin'],
    `-p\\s{1,3}${VALUE}`,
    isNoPort,
  ),
  command(
    'sqlcmd|bcp|ipmitool|unzip|zip',
    ['sqlcmd', 'bcp ', 'ipmitool', 'zip '],
    `-P\\s{0,3}${VALUE}`,
    isNoPort,
  ),
  command('ldap(?:search|add|modify|delete|passwd|whoami)', 'ldap', `-w\\s{1,3}${VALUE}`),
  command('7z[ar]?|rar|unrar', ['7z', 'rar '], `-p${VALUE}`, isMixed),
  command(
    'smbclient|rpcclient|smbmap',
    ['smbclient', 'rpcclient', 'smbmap'],
    `(?:-U|--user=)\\s{0,3}["']?[^\\s"'%]{1,80}%([^\\s"'\`$<{][^\\s"'\`]{2,200})`,
  ),
  rule(
    'cli-password',
    ['lftp', 'ncftp'],
    /\bn?c?l?ftp\b[^\n|;]{0,100}?\s-u\s{1,3}["']?[^\s"',]{1,80},([^\s"'`$<{]{3,200})/g,
    1,
  ),
  rule(
    'cli-password',
    ['sqlplus', 'sqlldr', 'expdp', 'impdp'],
    /\b(?:sqlplus|sqlldr|expdp|impdp)\s{1,3}(?:-\w{1,3}\s{1,3}){0,3}["']?\w{1,60}\/([^\s"'@/$<{]{3,100})@/g,
    1,
    isGiven,
  ),
  rule(
    'cli-password',
    'htpasswd',
    /\bhtpasswd\s{1,3}(?:-\w{0,4}n\w{0,4}\s{1,3}|-\w{0,6}b\w{0,6}\s{1,3}\S{1,200}\s{1,3})[\w.@-]{1,80}\s{1,3}["']?([^\s"'`$<{|;&][^\s"'`|;]{2,200})/g,
    1,
    isGiven,
  ),
  rule('cli-password', 'pass:', /-pass(?:in|out|word)?\s{1,3}["']?pass:([^\s"'`$<{]{3,200})/g, 1, isGiven),
  rule(
    'cli-password',
    ['net use', 'net.exe use', 'NET USE', 'Net use'],
    /\bnet(?:\.exe)?\s{1,3}use\b[^\n]{0,200}?\/user:\S{1,80}\s{1,3}["']?([^\s"'/*%$<{][^\s"']{2,100})/gi,
    1,
    isGiven,
  ),
  rule(
    'cli-password',
    ['net use', 'net.exe use', 'NET USE', 'Net use'],
    /\bnet(?:\.exe)?\s{1,3}use\s{1,3}(?:[a-z*]:?\s{1,3})?\\{2,4}[^\s"']{1,200}\s{1,3}["']?([^\s"'/*%$<{][^\s"']{2,100})["']?\s{1,3}\/user:/gi,
    1,
    isGiven,
  ),
  rule(
    'cli-password',
    ['net user', 'net.exe user', 'NET USER'],
    /\bnet(?:\.exe)?\s{1,3}user\s{1,3}[\w.-]{1,60}\s{1,3}["']?([^\s"'/*%$<{][^\s"']{3,100})/gi,
    1,
    isMixed,
  ),
  rule(
    'cli-password',
    ['sudo', 'password-stdin'],
    /\b(?:echo|printf)\s{1,3}(?:-[ne]\s{1,3})?["']?([^\s"'`$<{|;-][^\n"'`|;]{2,100}?)(?:\\n)?["']?\s{0,3}\|\s{0,3}(?:sudo\b[^\n|;]{0,40}?\s-\w{0,3}S\b|[^\n|;]{1,200}--password-stdin)/g,
    1,
    isGiven,
  ),
  rule(
    'cli-password',
    'chpasswd',
    /\b(?:echo|printf)\s{1,3}(?:-[ne]\s{1,3})?["']?[\w.-]{1,60}:([^\s"'`$<{|]{3,100})["']?\s{0,3}\|[^\n|]{0,40}\bchpasswd\b/g,
    1,
  ),
  rule(
    'cli-password',
    'ConvertTo-SecureString',
    /ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?\(?\\?["']([^"'\n$\\]{3,200})\\?["']/g,
    1,
    isGiven,
  ),
  // Options that nothing but a secret follows.
  rule(
    'cli-password',
    ['--password', '--token', '--api-key', '--secret'],
    /--(?:password|token|api-key|secret)[ =]["']?([^\s"'`$<{][^\s"'`]{5,200})/g,
    1,
    // The option as documentation names it: "the --password option".
    (secret) =>
      !/^(?:options?|arguments?|flags?|switch|parameters?|instead|values?|fields?|and|or|with|from)\b[.,:;)]*$/.test(
        secret,
      ),
  ),
  rule(
    'cli-password',
    ['-pass', '-pwd', '-token', '-secret', '-key', '-Password', '-Token'],
    /\s--?(?:[a-z]{1,20}-){0,2}(?:pass(?:word|wd|phrase|code)?|pwd|token|secret|(?:api|access|secret|auth|account|private|master)-key)[ =]\s{0,2}["']?([^\s"'`$<{-][^\s"'`]{5,200})/gi,
    1,
    (secret) => isMixed(secret) && !/[./\\]\w{1,5}$|^[~./\\]|\(|::/.test(secret),
  ),
  rule(
    'curl-user',
    ['curl'],
    /\bcurl\b[^\n]{0,300}?\s(?:-u\s{0,3}|--user[\s=]\s{0,3})["']?[^\s:"']{1,80}:([^\s"']{3,200})/g,
    1,
  ),
  // `setx NAME value`, `set -x NAME value`, `ENV NAME value`: the name says that it is one.
  rule(
    'cli-password',
    ['setx', 'setenv', 'set -', 'ENV ', 'ARG '],
    /(?<![A-Za-z0-9_])(?:setx|setenv|set\s{1,3}-\w{1,4}|ENV|ARG)\s{1,3}(?:\/[mM]\s{1,3})?(?:[A-Z0-9]{1,30}_){0,6}[A-Z0-9]{0,20}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD)\s{1,3}["']?([^\s"'`$<{%=][^\s"'`]{5,200})/g,
    1,
    isMixed,
  ),
  rule(
    'sql-password',
    ['IDENTIFIED', 'identified', 'Identified'],
    /\bidentified\s{1,3}(?:with\s{1,3}\S{1,60}\s{1,3})?by\s{1,3}(?:password\s{1,3})?\\?['"]([^'"\n\\]{3,200})\\?['"]/gi,
    1,
    isGiven,
  ),
  rule(
    'sql-password',
    ['PASSWORD', 'password', 'Password'],
    /\b(?:user|role|login|group)\s{1,3}\S{1,80}\s(?:[^;\n'"]{0,100}?\s)??(?:encrypted\s{1,3})?password\s{0,3}=?\s{0,3}n?'([^'\n]{4,200})'/gi,
    1,
    isGiven,
  ),
  rule(
    'header-key',
    ['x-', 'X-', 'rivate-'],
    /\b(?:x-[a-z0-9-]{0,40}(?:key|token|secret|auth)|private-token)\\?["']?\s{0,3}:\s{0,3}\\?["']?([A-Za-z0-9_.~+/=-]{8,400})/gi,
    1,
    (secret) => isMixed(secret) && !/^[a-z]{1,12}\.[\w.]{1,60}$|^v\d/i.test(secret),
  ),
  // A line of .pgpass.
  rule(
    'pgpass',
    [':5432:', ':6432:', ':*:'],
    /(?:^|[\s"'`])[\w.-]{2,100}:(?:5432|6432|\*):[\w*-]{1,60}:[\w.*@-]{1,60}:([^\s"'`$<{]{4,200})/gm,
    1,
    isGiven,
  ),
  {
    ...rule(
      'npm-auth',
      [':_auth', ':_password'],
      /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([^\s"'`$<{]{6,400})/g,
      1,
    ),
    ahead: true,
  },
  rule('otp-secret', 'otpauth://', /otpauth:\/\/[^\s"'<>]{0,300}?[?&]secret=([A-Za-z2-7=]{8,200})/g, 1),
  // "credentials: ann / …", "login: ann / …"
  rule(
    'password',
    [' / ', ' | '],
    /\b(?:credentials?|creds|log-?in|user(?:name)?|account)\s{0,2}(?:is|are|[:=])\s{0,2}["'`]?[\w.@-]{1,60}["'`]?\s{1,2}[/|]\s{1,2}["'`]?([^\s"'`<>(){}[\]/|,;]{6,100})(?=["'`.,;]?(?:\s|$))/gi,
    1,
    (secret) => isMixed(secret) && /\d\D+\d|[^\w.-]|[A-Z].*[a-z]/.test(secret) && !/:\d+$/.test(secret),
  ),
]
