export { type Allocation, allocate, type Budgets, type Candidate, type Upgrade } from './allocate'
export { concaveSteps, type LadderStep, type RungCost } from './ladder'
