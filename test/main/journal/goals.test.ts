import { describe, expect, test } from 'vitest'
import { isAcknowledgement } from '../../../src/main/journal'

describe('which turns keep the goal', () => {
  test.each([
    'yes',
    'Yes, go on.',
    'ok do it',
    "yeah let's do it",
    'continue',
    'please continue',
    'lgtm 👍',
    '👍',
    '2',
    'b)',
    'option 2',
    'thanks!',
    'perfect, thank you',
    'go ahead',
    'no',
    'weiter',
    'да, продолжай',
    '继续',
  ])('"%s" is an acknowledgement', (text) => expect(isAcknowledgement(text)).toBe(true))

  test.each([
    'ok, now write the tests',
    'yes, but use the other library',
    'continue merge, then push',
    'fix it up',
    'why does the method exist at all?',
    'is 1 technically part of PR #170?',
    'mise run lint fails',
    'ok cool - write the design',
    'revert that',
    'explain',
    'yes\n\nand also update the docs',
  ])('"%s" is a request', (text) => expect(isAcknowledgement(text)).toBe(false))
})
