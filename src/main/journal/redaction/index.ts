export { makeRedactor, type Redacted, type Redactor, RULES_VERSION, redactDeep } from './redact'
