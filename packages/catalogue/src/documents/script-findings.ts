/** Finds what is wrong with a script: dead ends, steps that cannot be reached, objectives that cannot be met, ambiguous examples. */
import {
  type ContentFinding,
  PRACTICE_DIFFICULTIES,
  type PracticeDifficulty,
  type PracticeScript,
  type ScriptNode,
} from '@parley/domain';
import { parseMarkedSentence } from './marked-sentence.ts';

const MIN_EXAMPLES = 20;
const MIN_UNFORESEEN = 15;
const MIN_INTENTS = 2;
const MIN_REPLIES = 2;
const KEY = /^[a-z0-9]+(-[a-z0-9]+)*$/;

type Path = (string | number)[];

export function findScriptFindings(script: PracticeScript, objectiveKeys: readonly string[]): ContentFinding[] {
  const { nodes } = script;
  const keys = new Set(nodes.map(({ key }) => key));
  const findings: ContentFinding[] = [];
  const report = (path: Path, node: string | null, message: string, severity: 'error' | 'advice' = 'error'): void =>
    void findings.push({ severity, path: ['script', ...path], node, message });

  if (nodes.length < 2) report(['nodes'], null, 'A dialogue needs at least two steps: an opening and an ending.');
  else if (!keys.has(script.start))
    report(['start'], null, `The dialogue starts at “${script.start}”, which is not a step.`);
  for (const [index, { key }] of nodes.entries()) {
    if (!KEY.test(key))
      report(['nodes', index, 'key'], key, `“${key}” is not a valid name: use small letters, digits and hyphens.`);
    if (nodes.findIndex((other) => other.key === key) !== index)
      report(['nodes', index, 'key'], key, `Two steps are called “${key}”.`);
  }
  for (const [index, node] of nodes.entries())
    findNodeFindings(node, {
      keys,
      objectiveKeys,
      report: (path, ...rest) => report(['nodes', index, ...path], ...rest),
    });
  for (const [index, fact] of script.facts.entries()) {
    if (!KEY.test(fact.key)) report(['facts', index, 'key'], null, `“${fact.key}” is not a valid name for a fact.`);
    if (fact.answer.trim() === '') report(['facts', index, 'answer'], null, `The fact “${fact.key}” has no answer.`);
  }
  if (nodes.length >= 2 && keys.has(script.start)) reportReach(script, objectiveKeys, report);
  return findings;
}

type Report = (path: Path, node: string | null, message: string, severity?: 'error' | 'advice') => void;

function findNodeFindings(
  node: ScriptNode,
  { keys, objectiveKeys, report }: { keys: ReadonlySet<string>; objectiveKeys: readonly string[]; report: Report },
): void {
  const { key, say, rephrase, understanding, onKnown } = node;
  const replies = node.isEnd ? [] : node.replies;
  for (const difficulty of PRACTICE_DIFFICULTIES)
    if (say[difficulty].trim() === '')
      report(['say', difficulty], key, `“${key}” has no line at the level ${LEVEL_NAMES[difficulty]}.`);
  const requireTarget = (path: Path, target: string, from: string): void => {
    if (target === '') report(path, key, `${from} leads nowhere.`);
    else if (!keys.has(target)) report(path, key, `${from} leads to “${target}”, which is not a step.`);
  };
  const requireObjective = (path: Path, objective: string): void => {
    if (!objectiveKeys.includes(objective)) report(path, key, `There is no objective “${objective}”.`);
  };
  if (onKnown !== null) requireTarget(['onKnown'], onKnown, 'What the coach does when it knows the answer');
  for (const [index, reply] of replies.entries()) {
    const from = `The reply “${reply.hint === '' ? index + 1 : reply.hint}” of “${key}”`;
    const targets = new Set(PRACTICE_DIFFICULTIES.map((difficulty) => reply.to[difficulty]));
    for (const target of targets) requireTarget(['replies', index, 'to'], target, from);
    if (reply.hint.trim() === '') report(['replies', index, 'hint'], key, `${from} has no hint.`);
    for (const difficulty of PRACTICE_DIFFICULTIES) {
      const { text, proves } = parseMarkedSentence(reply[difficulty]);
      const path = ['replies', index, difficulty];
      if (text.trim() === '') report(path, key, `${from} has no sentence at the level ${LEVEL_NAMES[difficulty]}.`);
      for (const { objective } of proves) requireObjective(path, objective);
    }
  }
  if (node.isEnd) return;
  if (replies.length === 0) {
    report(['replies'], key, `“${key}” has no reply. A learner who gets here can’t go on.`);
    return;
  }
  if (replies.length < MIN_REPLIES) report(['replies'], key, `“${key}” needs at least two replies.`);
  if (rephrase.every((line) => line.trim() === ''))
    report(['rephrase'], key, `“${key}” needs a simpler way to ask, for a learner who did not understand.`);
  else if (rephrase.some((line) => line.trim() === '')) report(['rephrase'], key, `A rephrasing of “${key}” is empty.`);
  for (const line of new Set(Object.values(say)))
    if (line.trim() !== '' && rephrase.includes(line))
      report(['rephrase'], key, `A rephrasing of “${key}” repeats its line “${line}”.`, 'advice');
  if (understanding === null)
    report(
      ['understanding'],
      key,
      `“${key}” recognises only its model replies. Add examples of free answers.`,
      'advice',
    );
  else findUnderstandingFindings({ ...node, understanding }, { requireTarget, requireObjective, report });
}

function findUnderstandingFindings(
  { key, understanding }: ScriptNode & { understanding: NonNullable<ScriptNode['understanding']> },
  {
    requireTarget,
    requireObjective,
    report,
  }: {
    requireTarget: (path: Path, target: string, from: string) => void;
    requireObjective: (path: Path, objective: string) => void;
    report: Report;
  },
): void {
  const { intents, bridge, bridgeProves, unforeseen } = understanding;
  for (const target of new Set(PRACTICE_DIFFICULTIES.map((difficulty) => bridge[difficulty])))
    requireTarget(['understanding', 'bridge'], target, `An unexpected answer at “${key}”`);
  for (const objective of bridgeProves) requireObjective(['understanding', 'bridgeProves'], objective);
  if (intents.length < MIN_INTENTS)
    report(['understanding', 'intents'], key, `“${key}” has fewer than two kinds of answers.`, 'advice');
  if (unforeseen.length < MIN_UNFORESEEN)
    report(
      ['understanding', 'unforeseen'],
      key,
      `“${key}” has fewer than ${MIN_UNFORESEEN} unexpected answers.`,
      'advice',
    );
  const ownerByExample = new Map<string, string>();
  for (const [index, intent] of intents.entries()) {
    const path = ['understanding', 'intents', index];
    if (!KEY.test(intent.key))
      report([...path, 'key'], key, `“${intent.key}” is not a valid name for a kind of answer.`);
    for (const target of new Set(PRACTICE_DIFFICULTIES.map((difficulty) => intent.to[difficulty])))
      requireTarget([...path, 'to'], target, `The answer “${intent.key}” at “${key}”`);
    for (const objective of intent.proves) requireObjective([...path, 'proves'], objective);
    if (intent.examples.length === 0) report([...path, 'examples'], key, `The answer “${intent.key}” has no examples.`);
    else if (intent.examples.length < MIN_EXAMPLES)
      report(
        [...path, 'examples'],
        key,
        `The answer “${intent.key}” has ${intent.examples.length} examples; ${MIN_EXAMPLES} or more are understood better.`,
        'advice',
      );
    for (const [at, example] of intent.examples.entries()) {
      const plain = plainText(example);
      const owner = ownerByExample.get(plain);
      ownerByExample.set(plain, intent.key);
      if (plain === '') report([...path, 'examples', at], key, `An example of “${intent.key}” is empty.`);
      else if (owner !== undefined && owner !== intent.key)
        report([...path, 'examples', at], key, `“${example}” is an example of both “${owner}” and “${intent.key}”.`);
    }
  }
}

/** Reports per level what cannot be reached or met. */
function reportReach(script: PracticeScript, objectiveKeys: readonly string[], report: Report): void {
  const nodes = new Map(script.nodes.map((node) => [node.key, node]));
  const reachedAnywhere = new Set<string>();
  const unmet = new Map<string, PracticeDifficulty[]>();
  const endless: PracticeDifficulty[] = [];
  const withoutReplies: PracticeDifficulty[] = [];
  for (const difficulty of PRACTICE_DIFFICULTIES) {
    const reached = reachableNodes(script, difficulty);
    for (const key of reached) reachedAnywhere.add(key);
    const live = [...reached].flatMap((key) => nodes.get(key) ?? []);
    if (!live.some(({ isEnd }) => isEnd)) endless.push(difficulty);
    const replied = reachableByReplies(script, difficulty);
    if (!script.nodes.some(({ key, isEnd }) => isEnd && replied.has(key))) withoutReplies.push(difficulty);
    const proved = new Set(live.flatMap((node) => provedAt(node, difficulty)));
    for (const key of objectiveKeys) if (!proved.has(key)) unmet.set(key, [...(unmet.get(key) ?? []), difficulty]);
  }
  if (endless.length > 0) report(['nodes'], null, `No ending can be reached${atLevels(endless)}.`);
  else if (withoutReplies.length > 0)
    report(['nodes'], null, `The model replies alone reach no ending${atLevels(withoutReplies)}.`, 'advice');
  for (const [key, levels] of unmet)
    report(['nodes'], null, `The objective “${key}” cannot be met${atLevels(levels)}: no reply proves it.`);
  for (const [index, { key }] of script.nodes.entries())
    if (!reachedAnywhere.has(key)) report(['nodes', index], key, `No reply leads to “${key}”.`);
}

/** The steps that a learner reaches who says only model replies. */
function reachableByReplies({ start, nodes }: PracticeScript, difficulty: PracticeDifficulty): Set<string> {
  const reached = new Set([start]);
  for (const key of reached)
    for (const { to } of nodes.find((node) => node.key === key)?.replies ?? []) reached.add(to[difficulty]);
  return reached;
}

export function reachableNodes(script: PracticeScript, difficulty: PracticeDifficulty): Set<string> {
  const nodes = new Map(script.nodes.map((node) => [node.key, node]));
  const reached = new Set([script.start]);
  for (const key of reached) {
    const node = nodes.get(key);
    if (node === undefined) continue;
    // Where free answers are understood, they decide where the conversation goes.
    const targets = node.isEnd
      ? []
      : node.understanding === null
        ? node.replies.map(({ to }) => to[difficulty])
        : [...node.understanding.intents.map(({ to }) => to[difficulty]), node.understanding.bridge[difficulty]];
    for (const target of [...targets, ...(node.onKnown === null ? [] : [node.onKnown])])
      if (nodes.has(target)) reached.add(target);
  }
  return reached;
}

const provedAt = ({ understanding, replies }: ScriptNode, difficulty: PracticeDifficulty): string[] =>
  understanding === null
    ? replies.flatMap((reply) => parseMarkedSentence(reply[difficulty]).proves.map(({ objective }) => objective))
    : [...understanding.intents.flatMap(({ proves }) => proves), ...understanding.bridgeProves];

const plainText = (example: string): string =>
  example
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} ]/gu, '')
    .trim();

/** The levels as screens call them. */
export const LEVEL_NAMES: Readonly<Record<PracticeDifficulty, string>> = {
  easy: 'Easy',
  intermediate: 'Medium',
  hard: 'Hard',
};

const atLevels = (levels: readonly PracticeDifficulty[]): string =>
  levels.length === PRACTICE_DIFFICULTIES.length
    ? ''
    : ` at the ${levels.length === 1 ? 'level' : 'levels'} ${levels.map((level) => LEVEL_NAMES[level]).join(' and ')}`;
