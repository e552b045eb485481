import { expect, test } from 'vitest'
import { makeRedactor } from '../../../src/main/journal'

// A person's password may be a plain word. It is masked where a form, a file of settings, a table or a sentence says
// that it is one, and nowhere else.

const redact = makeRedactor('salt')

const secrets: [text: string, secret: string][] = [
  // A form and a file of settings.
  ['Password: CorrectHorse', 'CorrectHorse'],
  ['password: CorrectHorse', 'CorrectHorse'],
  ['Password: hunter', 'hunter'],
  ['Password: DRAGONFLY', 'DRAGONFLY'],
  ['passphrase: CorrectHorse', 'CorrectHorse'],
  ['passphrase=CorrectHorse', 'CorrectHorse'],
  ['password = CorrectHorse', 'CorrectHorse'],
  ['pw: CorrectHorse', 'CorrectHorse'],
  ['db:\n  host: h\n  password: CorrectHorse\n  port: 1', 'CorrectHorse'],
  ['- password: Sunshine # the old one', 'Sunshine'],
  ['  password: "sunshine"', 'sunshine'],
  ['{"password":"sunshine"}', 'sunshine'],
  ['MYSQL_PASSWORD: CorrectHorse', 'CorrectHorse'],
  ['DB_PASSWORD=summer', 'summer'],
  ['DB_PASSWORD=CorrectHorse psql', 'CorrectHorse'],
  ['DB_PASSWORD="Sunshine"', 'Sunshine'],
  ['export PASSPHRASE=Swordfish', 'Swordfish'],
  ['DB_PASSWORD=correct-horse-battery', 'correct-horse-battery'],
  ['Passwort: Sonnenblume', 'Sonnenblume'],
  // A page.
  ['**Password:** CorrectHorse', 'CorrectHorse'],
  ['- **Password**: `CorrectHorse`', 'CorrectHorse'],
  ['`password`: CorrectHorse', 'CorrectHorse'],
  ['Password - CorrectHorse', 'CorrectHorse'],
  ['<tr><td>Password</td><td>CorrectHorse</td></tr>', 'CorrectHorse'],
  // Tables.
  ['| password | sunshine |', 'sunshine'],
  ['| **Password** | `CorrectHorse` |', 'CorrectHorse'],
  ['| User | Password |\n|---|---|\n| ann | CorrectHorse |', 'CorrectHorse'],
  ['| User | Password | Role |\n|---|---|---|\n| ann | x | a |\n| bob | Sunshine | y |', 'Sunshine'],
  [' name | password \n------+----------\n ann  | hunter2x\n', 'hunter2x'],
  ['user,password\r\nann,CorrectHorse\r\n', 'CorrectHorse'],
  ['user;password\nann;sunshine\n', 'sunshine'],
  ['Password\tCorrectHorse', 'CorrectHorse'],
  // Sentences.
  ['password is hunter2', 'hunter2'],
  ['The password is CorrectHorse and the user is ann', 'CorrectHorse'],
  ['the password is swordfish', 'swordfish'],
  ["the password is 'swordfish' today", 'swordfish'],
  ['The password was "Swordfish".', 'Swordfish'],
  ['my password is sunshine', 'sunshine'],
  ['Das Passwort ist Sonnenblume', 'Sonnenblume'],
  ['log in with password swordfish7', 'swordfish7'],
  ['set the password to CorrectHorse', 'CorrectHorse'],
  ['they changed the password to hunter2x', 'hunter2x'],
  ['user "ann" and password "CorrectHorse"', 'CorrectHorse'],
  // Phrases.
  ['Passphrase: correct horse battery staple', 'horse battery'],
  ['passphrase = "correct horse battery staple"', 'horse battery'],
  ['passphrase: correct-horse-battery-staple', 'horse-battery'],
  ['seed phrase: abandon river copper lemon orbit velvet', 'copper lemon'],
  // Percent-encoded once, twice, three and four times.
  ['next=%2Flogin%3Fpassword%3Dtr0ub4dor3', 'tr0ub4dor3'],
  ['next=%252Flogin%253Fpassword%253Dtr0ub4dor3', 'tr0ub4dor3'],
  ['next=%25252Flogin%25253Fpassword%25253Dtr0ub4dor3', 'tr0ub4dor3'],
  ['postgres%253A%252F%252Fann%253Atr0ub4dor3%2540db%252Fx', 'tr0ub4dor3'],
  ['postgres%2525253A%2525252F%2525252Fann%2525253Atr0ub4dor3%25252540db', 'tr0ub4dor3'],
]
test.each(secrets)('a plain word that is a password is masked: %j', (text, secret) => {
  const out = redact(text).text
  expect(out).not.toContain(secret)
  expect(out).toContain('[secret:')
  expect(redact(out)).toEqual({ text: out, masked: 0 })
})

const innocent = [
  'password: string',
  'password: str',
  'Password: required',
  'password: ""',
  `password: $${'{DB_PASSWORD}'}`,
  'Password: Encrypted',
  'Password: Strong',
  'password: Uint8Array',
  'password: BinaryLike',
  'Password: PasswordField',
  'interface Login {\n  user: string\n  password: Sealed\n}',
  'class Login:\n    user: str\n    password: Opaque\n',
  'self.password = Handler',
  'password = handler',
  'const password = Branded',
  'type Password = Branded',
  'password: credentials.word',
  '{"password": "Kennwort"}',
  '"password": "Contraseña"',
  "label: 'password', hint: 'hidden'",
  'PASSWORD=changeme',
  'DB_PASSWORD=required',
  '--- PASS: TestUserLogin',
  'PASS: CorrectOrder',
  'pwd: src',
  '| password | string | required |',
  '| password | optional |',
  '| Password | The one of the account |',
  '| Field | Password |\n|---|---|\n| login | required |',
  '| What | Password |\n|---|---|\n| reset | by mail only |',
  'ann, password and a list\nbob, another thing and more',
  "'case',\n    'pass',\n    'continue',\n    'finally',\n",
  'name,\npassword,\nemailAddress,\n',
  'const { user, password } = form',
  'the password is correct',
  'The password is available.',
  'the password is somewhere',
  'my password is broken.',
  'with the password provided',
  'use the password manager',
  'set the password to null',
  'reset the password to something else',
  'the `password` property',
  'Forgot password — nothing happens',
  'Password - Reset',
  'Passphrase: enter the one you were given',
  'the passphrase is what you type when it asks',
  'recovery phrase: this is the list of words',
  'password: use-a-strong-one',
  'class="password: form-input-field"',
  'https://x.org/a%2520b%252Fc?d=%25',
]
test.each(innocent)('what only stands behind the word stays as it is: %j', (text) => {
  expect(redact(text).text).toBe(text)
})
