/** Queries to start from: each stands for a kind of question. */
export const examples: readonly { name: string; goal: string }[] = [
  {
    name: 'What failed most often',
    goal: 'failures(C, N) :- setof(H, W^(fact(C, fails_with, W, H), names(H, command, C)), Hs), length(Hs, N).\n?- order_by([desc(Times)], failures(Command, Times)).',
  },
  {
    name: 'Files that two goals touched',
    goal: 'fact(_, edits, File, H1), relation(H1, for, G1),\nfact(_, edits, File, H2), relation(H2, for, G2), G1 @< G2',
  },
  {
    name: 'What was decided, the newest first',
    goal: 'order_by([desc(Ts)], (fact(_, decided, What, Item), item(Item, _, _, Project, Ts)))',
  },
  {
    name: 'What followed a plan sent back',
    goal: "fact(person, rejects, Plan, H), relation(H, next, After), rung(After, 'L1', Text)",
  },
  {
    name: 'By meaning, inside a rule',
    goal: 'near(Item, Goal) :- nearest("retry after a failed request", 20, Item, _), relation(Item, for, Goal).\n?- near(Item, Goal), goal(Goal, Text, _).',
  },
  {
    name: 'Everything later in the same session',
    goal: 'later(A, B) :- relation(A, next, B).\nlater(A, C) :- relation(A, next, B), later(B, C).\n?- item(First, goal, _, _, _), !, later(First, Item), item(Item, Kind, _, _, _).',
  },
]
