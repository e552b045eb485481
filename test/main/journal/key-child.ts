// A process that signs as soon as it is told to: `node key-child.mjs FOLDER`.
import { envelopeKey } from '../../../src/main/journal'

const [, , folder = ''] = process.argv
process.stdout.write('READY\n')
process.stdin.once('data', () => {
  process.stdout.write(envelopeKey(folder, (sentence) => process.stdout.write(sentence)).sign('rcp_a', 1))
  process.exit(0)
})
