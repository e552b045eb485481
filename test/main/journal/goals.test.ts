import { describe, expect, test } from 'vitest'
import { isAcknowledgement, keepsGoal } from '../../../src/main/journal'

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
    'yes p[lease',
    'contineu please',
    'pause',
    'hold on',
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
    'stop the server',
    'source',
  ])('"%s" is a request', (text) => expect(isAcknowledgement(text)).toBe(false))
})

describe('which turns keep a goal that is active', () => {
  test.each([
    'technically the second argument is the path',
    'but you could not tell who edited the file',
    'that was supposed to happen, yeah?',
    'or #12?',
    'yes, that should be the other state',
    'this is the output:\n❯ build the thing\n⎿ Done',
    "I'm on the other machine. You should know this, it is in the notes",
    'make check --all\nusage: make\n(.venv) ann@host:~/shop$make check\nnot found: check\n(.venv) ann@host:~/shop$uname\nLinux',
    "A) it's when the window was closed\nB) the second one",
  ])('"%s" is a remark', (text) => {
    expect(keepsGoal(text, true)).toBe(true)
    // With no goal yet, it is what the session is about.
    expect(keepsGoal(text, false)).toBe(false)
  })

  test.each([
    'the export is missing the date',
    'npm run lint fails',
    'yes, add a test for that',
    'why does the method exist at all',
    'no, remove it again',
    'I think we should keep both',
    'I ran it as you said, but I never saw the window open',
    'It exited immediately.',
    'In the `run` command the startup order should be first the watcher, then the agent',
    'ann@host:~/shop$ make\nerror 2\nwhy does this happen?',
    'ann@host:~/shop$ make\nerror 2\nremove that target',
    'und jetzt bitte die Tests dazu',
    'this is the output:\n❯ build\n⎿ broken\n\nwhat happened here?',
  ])('"%s" is a request', (text) => expect(keepsGoal(text, true)).toBe(false))
})
