import { stemmer } from 'stemmer'

// Words that stand in nearly every talk about software. That a plan has one of them, or has it not, says nothing
// about what a person looks for.

const WORDS = `able action active actually agent already also app approach around ask assistant better bit branch
  build call case change check class clean code command commit comment config context continue correct create current
  data default detail detect different do doc document edit end error event example exist exit expect fail feature
  figure file fine fix follow function general git github give good goal handle happen help idea implement include
  info input instruct instead issue item keep kind know language later leave line list local logic long main maybe
  mean merge message method mode model module move name new next note number old open option order output package
  page part pass path place plan point possible pr previous problem process project prompt pull push put question
  read reason refactor remove repo request result return right run save say section session set setup show side
  simple small software something sort start state status step still stop sure system take task tell text time tool
  try turn type understand update user value version warn way word work write wrong yet`

const STEMS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).map((word) => stemmer(word)))

export const isGeneric = (stem: string): boolean => STEMS.has(stem) || /^\d+$/.test(stem) || stem.length < 3
