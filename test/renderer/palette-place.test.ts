import { expect, test } from 'vitest'
import { palettePlace } from '../../src/renderer/shell/palette-place'

test('what is typed stands in the line as words; letters strewn over it are no match', () => {
  expect(palettePlace('receipt Cancel the wallet rcp_cell222222222222', 'cell')).toBe(0)
  expect(palettePlace('receipt Change every large ledger rcp_a', 'cell')).toBe(0)
  expect(palettePlace('receipt Rename a cell rcp_a', 'cell')).toBe(1)
  expect(palettePlace('gate Excellent plan gat_a', 'cell')).toBe(0.5)
  expect(palettePlace('go to Timeline', 'time go')).toBe(1)
})

test('an id that is typed is found', () => {
  expect(palettePlace('receipt Retry rcp_abcdefgh', 'rcp_abcd')).toBe(1)
})
