import type { logicSql } from '../../store'

// The program that questions run against. Every relation asks the host for pages of rows; nothing is copied into the
// engine. Atoms handed to the host would be evaluated there, so only strings and numbers ever are.

type Relation = logicSql.RelationName

/** Relations a question may name, as `name/arity`, each answered by one query of the store. */
const TABLES: readonly (readonly [string, number, Relation])[] = [
  ['item', 5, 'item'],
  ['goal', 3, 'goal'],
  ['arc', 4, 'arc'],
  ['session', 4, 'session'],
  ['entity', 3, 'entity'],
  ['names', 3, 'names'],
  ['asserted', 4, 'asserted'],
  ['cell', 3, 'cell'],
  ['adjacent', 2, 'cell_adjacent'],
]

/** Relations with rules of their own, below. */
const RULES: readonly (readonly [string, number])[] = [
  ['rung', 3],
  ['fact', 4],
  ['relation', 3],
  ['contains', 2],
  ['nearest', 4],
  ['words', 4],
  ['day', 2],
]

const variables = (n: number): string => Array.from({ length: n }, (_, i) => `A${i}`).join(',')
const indicator = ([name, arity]: readonly [string, number, ...unknown[]]): string => `${name}/${arity}`
const safe = ([name, arity]: readonly [string, number, ...unknown[]]): string =>
  `sandbox:safe_primitive(kb:${name}(${Array.from({ length: arity }, () => '_').join(',')})).`
const clause = ([name, arity, relation]: readonly [string, number, Relation]): string =>
  `${name}(${variables(arity)}) :- rows("${relation}", [${variables(arity)}]).`

export const knowledge = (): string => `
:- module(kb, [${[...TABLES, ...RULES].map(indicator).join(', ')}, fovea_run/5]).
:- use_module(library(sandbox)).
:- use_module(library(modules)).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(solution_sequences)).

${TABLES.map(clause).join('\n')}
${FIXED}
:- multifile sandbox:safe_primitive/1.
sandbox:safe_primitive(kb:bearable(_)).
${[...TABLES, ...RULES].map(safe).join('\n')}
`

const FIXED = String.raw`
rung(S, L, T) :- rows("stored_rung", [S, L, T]).
rung(S, L, T) :- plain(L, 'L0'), rows("verbatim", [S, T]).

fact(S, P, O, H) :- rows("stored_fact", [S, P, O, H]).
fact(S, P, O, H) :- plain(P, mentions), same(S, H), rows("names", [H, _, O]), S = H.

relation(F, R, T) :- plain(R, for), rows("item_goal", [F, T]).
relation(F, R, T) :- plain(R, in), rows("item_arc", [F, T]).
relation(F, R, T) :- plain(R, part_of), rows("arc", [F, _, T, _]).
relation(F, R, T) :- plain(R, child_of), rows("session_parent", [F, T]).
relation(F, R, T) :- plain(R, next), following(F, T).

contains(C, X) :- rows("cell_item", [C, X]).
contains(C, X) :- rows("cell_arc", [C, X]).

following(F, T) :- nonvar(F), !, text(F, S), Rows := fvHost.next(S, 1), checked(Rows), member(X, Rows), plain(T, X).
following(F, T) :- nonvar(T), !, text(T, S), Rows := fvHost.next(S, -1), checked(Rows), member(F, Rows).
following(F, T) :- rows("item", [F, _, _, _, _]), following(F, T).

nearest(Text, K, H, Score) :- ranked("nearest", Text, K, H, Score).
words(Text, K, H, Score) :- ranked("words", Text, K, H, Score).
ranked(How, Text, K, H, Score) :-
  must_be_text(Text), must_be(between(1, 500), K), text(Text, S),
  Rows := fvHost.ranked(How, S, K), checked(Rows),
  member([X, Score], Rows), plain(H, X).
must_be_text(T) :- ( atom(T) ; string(T) ), !.
must_be_text(T) :- var(T), !, throw(error(instantiation_error, _)).
must_be_text(T) :- throw(error(type_error(text, T), _)).

day(Ts, Day) :- number(Ts), S is Ts / 1000, format_time(atom(D), '%F', S), plain(Day, D).

rows(Name, Args) :-
  bound(Args, 0, Bound),
  page(Name, Bound, "", 64, Cols),
  matched(Args, Cols).
page(Name, Bound, After, N, Cols) :-
  Rows := fvHost.page(Name, Bound, After, N), checked(Rows),
  (   member([_|Cols], Rows)
  ;   length(Rows, N), last(Rows, [Last|_]), key(Last, Key), M is min(N * 4, 4096),
      page(Name, Bound, Key, M, Cols)
  ).
checked(Rows) :- ( is_list(Rows) -> true ; text(Rows, S), throw(fovea_host(S)) ).
key(K, K) :- number(K), !.
key(A, S) :- atom_string(A, S).

% What the host gets of the arguments: [Place, Value] for each that is bound; none that is no atom, string or number.
bound([], _, []).
bound([A|As], N, Bs) :- M is N + 1, ( var(A) -> Bs = Rest ; value(A, V), Bs = [[N, V]|Rest] ), bound(As, M, Rest).
value(A, A) :- number(A), !.
value(A, S) :- text(A, S).
text(A, A) :- string(A), !.
text(A, S) :- atom(A), !, atom_string(A, S).
matched([], []).
matched([A|As], [C|Cs]) :- plain(A, C), matched(As, Cs).
% A string in a question stands for the same text as an atom.
plain(A, C) :- ( string(A) -> text(C, A) ; A = C ).
same(S, H) :- ( var(S) -> true ; var(H) -> text(S, T), atom_string(H, T) ; true ).

% ---- Running one question: its clauses, if any, then the goal, in a module that is gone afterwards.
fovea_run(Text, Max, Inferences, Names, Result) :-
  catch(in_temporary_module(M, true, run(M, Text, Max, Inferences, Names, Result)), E, failed(E, Names, Result)).

run(M, Text, Max, Inferences, Names, Result) :-
  parsed(M, Text, Clauses, Goal, Vars),
  maplist(permitted_clause(M), Clauses),
  permitted(Goal),
  maplist(guarded_catch(M), [catch, catch_with_backtrace]),
  maplist(added(M), Clauses),
  shown(Vars, Names, Values),
  safe_goal(M:Goal),
  More is Max + 1,
  within(Inferences, findall(Out, ( limit(More, M:Goal), maplist(out, Values, Out) ), Outs), How),
  ( How == done -> Result = [answers, Outs] ; Result = [limit, How] ).

% A goal may catch the error it is stopped with and go on as if nothing had been: what it used is asked afterwards.
within(Inferences, Goal, How) :-
  nb_setval(fovea_over, no),
  statistics(inferences, Before),
  catch(call_with_inference_limit(Goal, Inferences, _), E, true),
  statistics(inferences, After),
  nb_getval(fovea_over, Over),
  (   After - Before >= Inferences -> How = steps
  ;   Over == memory -> How = memory
  ;   nonvar(E) -> throw(E)
  ;   How = done
  ).

% In a question's module catch/3 is one that lets through what the question is stopped with.
guarded_catch(M, Name) :-
  Head =.. [Name, G, E, R],
  redefine_system_predicate(M:Head),
  assertz((M:Head :- system:catch(M:G, E, (kb:bearable(E), M:R)))).
bearable(E) :- ( full(E) -> nb_setval(fovea_over, memory), throw(E) ; true ).
full(E) :- nonvar(E), E = error(What, _), nonvar(What), ( What = resource_error(_) ; What = io_error(_, _) ), !.

added(M, C) :- assertz(M:C).

parsed(M, Text, Clauses, Goal, Vars) :-
  setup_call_cleanup(open_string(Text, In), terms(In, M, Terms), close(In)),
  ( append(Init, [Last-LastVars], Terms) -> true ; throw(fovea_empty) ),
  ( Last = (?- Goal) -> true ; Goal = Last ),
  Vars = LastVars,
  findall(C, ( member(T-_, Init), ( T = (?- _) -> throw(fovea_two_goals) ; C = T ) ), Copies),
  Clauses = Copies.
terms(In, M, Terms) :-
  read_term(In, T, [variable_names(Vs), module(M), syntax_errors(error)]),
  ( T == end_of_file -> Terms = [] ; Terms = [T-Vs|Rest], terms(In, M, Rest) ).

permitted_clause(M, C) :-
  ( C = (H :- B) -> permitted(B) ; C = (:- _) -> throw(fovea_refused(directive)) ; C = (_ --> _) -> throw(fovea_refused(grammar)) ; H = C ),
  ( callable(H), H \= _:_ -> true ; throw(fovea_refused(head)) ),
  functor(H, Name, Arity),
  (   ( predicate_property(system:H, defined) ; kb_export(Name/Arity) ; control(Name) )
  ->  throw(fovea_refused(redefine(Name, Arity)))
  ;   M == M ).
kb_export(PI) :- module_property(kb, exports(L)), memberchk(PI, L).
control(N) :- memberchk(N, [',', ;, ->, *->, \+, !, :, '{}', '[]', '|']).

% The sandbox lets facts be asserted and global variables be set; a question changes nothing.
permitted(G) :- ( cyclic_term(G) -> throw(fovea_refused(cyclic)) ; true ), \+ changes(G), !.
permitted(G) :- changes_what(G, N), throw(fovea_refused(changes(N))).
changes(G) :- changes_what(G, _).
changes_what(G, N) :- sub_term_(T, G), callable(T), ( T = _:C, callable(C), functor(C, N, _), caught(N) ; functor(T, N, A), changing(N, A) ), !.
caught(N) :- memberchk(N, [catch, catch_with_backtrace]).
sub_term_(T, G) :- nonvar(G), ( T = G ; compound(G), arg(_, G, A), sub_term_(T, A) ).
% The first may be called through a name alone; the others are words people use, refused where they are called.
changing(N, _) :- memberchk(N, [assert, asserta, assertz, retract, retractall, recorda, recordz, b_setval, nb_setval,
  nb_linkval, set_prolog_flag, reset_gensym, thread_create, thread_send_message, engine_create, nb_setarg, nb_linkarg,
  abolish_all_tables, (:=), fovea_run]).
changing(N, A) :- A > 0, memberchk(N, [abolish, erase, record, flag, table, dynamic, op, gensym, set_random, setarg]).

shown([], [], []).
shown([N=V|Vs], Names, Values) :-
  ( sub_atom(N, 0, 1, _, '_') -> Names = Ns, Values = Rest ; Names = [N|Ns], Values = [V|Rest] ), shown(Vs, Ns, Rest).

% A value as the host reads it: [Kind, Value].
out(V, [v]) :- ( var(V) ; V == null ), !.
out(V, [n, V]) :- integer(V), V >= -9007199254740991, V =< 9007199254740991, !.
out(V, [n, V]) :- float(V), V =:= V, abs(V) < inf, !.
out(V, [a, S]) :- ( atom(V) ; string(V) ), V \== [], !, clipped(V, S).
out(V, [l, L]) :- is_list(V), length(V, N), N =< 1000, !, maplist(out, V, L).
out(V, [t, S]) :- is_list(V), acyclic_term(V), !, length(V, N), length(Head, 100), append(Head, _, V), Left is N - 100,
  format(string(T), '~W', [Head, [quoted(true), numbervars(true), max_depth(200)]]), sub_string(T, 0, _, 1, Open),
  format(string(Told), "~w, … ~D more]", [Open, Left]), clipped(Told, S).
out(V, [t, S]) :- acyclic_term(V), !, format(string(T), '~W', [V, [quoted(true), numbervars(true), max_depth(200)]]), clipped(T, S).
out(_, [t, "(a cyclic term)"]).
clipped(T, S) :- ( atom(T) -> atom_string(T, S0) ; S0 = T ), string_length(S0, N),
  ( N =< 20000 -> S = S0 ; sub_string(S0, 0, 19999, _, S1), string_concat(S1, "…", S) ).

failed(E, [], [failed, Kind, Message]) :- kind(E, Kind), ( Kind == forbidden, E = fovea_refused(W) -> why(W, Message) ; told(E, Message) ), !.
kind(fovea_host(_), host).
kind(fovea_empty, syntax).
kind(fovea_two_goals, syntax).
kind(fovea_refused(_), forbidden).
kind(error(syntax_error(_), _), syntax).
kind(error(permission_error(call, sandboxed, _), _), forbidden).
kind(error(permission_error(_, _, _), _), forbidden).
kind(error(instantiation_error, C), forbidden) :- nonvar(C), C = sandbox(_, _).
kind(error(existence_error(procedure, _), _), unknown).
kind(error(existence_error(_, _), _), goal).
kind(error(resource_error(_), _), memory).
kind(error(io_error(_, _), _), memory).
kind(_, goal).
why(directive, "directives are not run").
why(grammar, "grammar rules are not read; write a clause").
why(head, "a clause needs a plain head").
why(cyclic, "the question is a cyclic term").
why(redefine(N, A), S) :- format(string(S), "~q/~w is taken; give the rule another name", [N, A]).
why(changes(N), S) :- format(string(S), "~q would change something; a question only reads (write \"~w\" in quotation marks where it is a word)", [N, N]).
told(fovea_host(S), S) :- !.
told(fovea_empty, "there is no goal") :- !.
told(fovea_two_goals, "only the last term may be a goal") :- !.
told(error(permission_error(call, sandboxed, _), sandbox(G, Callers)), S) :-
  member(M:Asked, [G|Callers]), atom(M), sub_atom(M, 0, _, _, 'tmp-'), functor(Asked, Name, Arity), !,
  format(string(S), "~q/~w does more than a question may; a question reads the journal and reaches no files, programs or network", [Name, Arity]).
told(E, S) :-
  catch(( phrase('$messages':translate_message(E), Lines), with_output_to(string(S0), print_message_lines(current_output, '', Lines)) ), _, S0 = "the goal failed with an error that cannot be told"),
  split_string(S0, "", " \n\t", [S1]), clipped(S1, S).
`
