/** Finds what is wrong with a script: dead ends, steps that cannot be reached, objectives that cannot be met, ambiguous examples. */
import {
  type ContentFinding,
  explain,
  type Explanation,
  type ExplanationCode,
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
  const report: Report = (path, node, explanation, severity = 'error') =>
    void findings.push({ severity, path: ['script', ...path], node, ...explanation });

  if (nodes.length < 2) report(['nodes'], null, explain('dialogue.too_short'));
  else if (!keys.has(script.start)) report(['start'], null, explain('dialogue.start_missing', { step: script.start }));
  for (const [index, { key }] of nodes.entries()) {
    if (!KEY.test(key)) report(['nodes', index, 'key'], key, explain('name.invalid', { name: key }));
    if (nodes.findIndex((other) => other.key === key) !== index)
      report(['nodes', index, 'key'], key, explain('step.repeated', { step: key }));
  }
  for (const [index, node] of nodes.entries())
    findNodeFindings(node, {
      keys,
      objectiveKeys,
      report: (path, ...rest) => report(['nodes', index, ...path], ...rest),
    });
  for (const [index, fact] of script.facts.entries()) {
    if (!KEY.test(fact.key)) report(['facts', index, 'key'], null, explain('name.invalid', { name: fact.key }));
    if (fact.answer.trim() === '')
      report(['facts', index, 'answer'], null, explain('fact.answer_missing', { name: fact.key }));
  }
  if (nodes.length >= 2 && keys.has(script.start)) reportReach(script, objectiveKeys, report);
  return findings;
}

type Report = (path: Path, node: string | null, explanation: Explanation, severity?: 'error' | 'advice') => void;

/** The part of a step that leads to another step. */
type Origin = { kind: 'known' | 'unexpected' } | { kind: 'reply' | 'answer'; name: string };

/** Null when the target is a step. */
function explainTarget(
  target: string,
  { keys, from, step }: { keys: ReadonlySet<string>; from: Origin; step: string },
): Explanation | null {
  if (keys.has(target)) return null;
  const isNowhere = target === '';
  switch (from.kind) {
    case 'known':
      return isNowhere ? explain('known.nowhere') : explain('known.astray', { target });
    case 'unexpected':
      return isNowhere ? explain('unexpected.nowhere', { step }) : explain('unexpected.astray', { step, target });
    case 'reply': {
      const reply = { reply: from.name, step };
      return isNowhere ? explain('reply.nowhere', reply) : explain('reply.astray', { ...reply, target });
    }
    case 'answer': {
      const answer = { answer: from.name, step };
      return isNowhere ? explain('answer.nowhere', answer) : explain('answer.astray', { ...answer, target });
    }
    default:
      return from satisfies never;
  }
}

function findNodeFindings(
  node: ScriptNode,
  { keys, objectiveKeys, report }: { keys: ReadonlySet<string>; objectiveKeys: readonly string[]; report: Report },
): void {
  const { key, say, rephrase, understanding, onKnown } = node;
  const replies = node.isEnd ? [] : node.replies;
  for (const difficulty of PRACTICE_DIFFICULTIES)
    if (say[difficulty].trim() === '')
      report(['say', difficulty], key, explain('step.line_missing', { step: key, level: difficulty }));
  const requireTarget = (path: Path, target: string, from: Origin): void => {
    const explanation = explainTarget(target, { keys, from, step: key });
    if (explanation !== null) report(path, key, explanation);
  };
  const requireObjective = (path: Path, objective: string): void => {
    if (!objectiveKeys.includes(objective)) report(path, key, explain('step.objective_unknown', { objective }));
  };
  if (onKnown !== null) requireTarget(['onKnown'], onKnown, { kind: 'known' });
  for (const [index, reply] of replies.entries()) {
    const name = reply.hint === '' ? String(index + 1) : reply.hint;
    const place = { reply: name, step: key };
    const targets = new Set(PRACTICE_DIFFICULTIES.map((difficulty) => reply.to[difficulty]));
    for (const target of targets) requireTarget(['replies', index, 'to'], target, { kind: 'reply', name });
    if (reply.hint.trim() === '') report(['replies', index, 'hint'], key, explain('reply.hint_missing', place));
    for (const difficulty of PRACTICE_DIFFICULTIES) {
      const { text, proves } = parseMarkedSentence(reply[difficulty]);
      const path = ['replies', index, difficulty];
      if (text.trim() === '') report(path, key, explain('reply.sentence_missing', { ...place, level: difficulty }));
      for (const { objective } of proves) requireObjective(path, objective);
    }
  }
  if (node.isEnd) return;
  if (replies.length === 0) {
    report(['replies'], key, explain('step.no_reply', { step: key }));
    return;
  }
  if (replies.length < MIN_REPLIES) report(['replies'], key, explain('step.one_reply', { step: key }));
  if (rephrase.every((line) => line.trim() === ''))
    report(['rephrase'], key, explain('step.rephrasing_missing', { step: key }));
  else if (rephrase.some((line) => line.trim() === ''))
    report(['rephrase'], key, explain('step.rephrasing_empty', { step: key }));
  for (const line of new Set(Object.values(say)))
    if (line.trim() !== '' && rephrase.includes(line))
      report(['rephrase'], key, explain('step.rephrasing_repeats', { step: key, line }), 'advice');
  if (understanding === null)
    report(['understanding'], key, explain('step.only_model_replies', { step: key }), 'advice');
  else findUnderstandingFindings({ ...node, understanding }, { requireTarget, requireObjective, report });
}

function findUnderstandingFindings(
  { key, understanding }: ScriptNode & { understanding: NonNullable<ScriptNode['understanding']> },
  {
    requireTarget,
    requireObjective,
    report,
  }: {
    requireTarget: (path: Path, target: string, from: Origin) => void;
    requireObjective: (path: Path, objective: string) => void;
    report: Report;
  },
): void {
  const { intents, bridge, bridgeProves, unforeseen } = understanding;
  for (const target of new Set(PRACTICE_DIFFICULTIES.map((difficulty) => bridge[difficulty])))
    requireTarget(['understanding', 'bridge'], target, { kind: 'unexpected' });
  for (const objective of bridgeProves) requireObjective(['understanding', 'bridgeProves'], objective);
  if (intents.length < MIN_INTENTS)
    report(['understanding', 'intents'], key, explain('step.few_answers', { step: key }), 'advice');
  if (unforeseen.length < MIN_UNFORESEEN)
    report(
      ['understanding', 'unforeseen'],
      key,
      explain('step.few_unexpected', { step: key, count: MIN_UNFORESEEN }),
      'advice',
    );
  const ownerByExample = new Map<string, string>();
  for (const [index, intent] of intents.entries()) {
    const path = ['understanding', 'intents', index];
    if (!KEY.test(intent.key)) report([...path, 'key'], key, explain('name.invalid', { name: intent.key }));
    for (const target of new Set(PRACTICE_DIFFICULTIES.map((difficulty) => intent.to[difficulty])))
      requireTarget([...path, 'to'], target, { kind: 'answer', name: intent.key });
    for (const objective of intent.proves) requireObjective([...path, 'proves'], objective);
    if (intent.examples.length === 0)
      report([...path, 'examples'], key, explain('answer.no_examples', { answer: intent.key }));
    else if (intent.examples.length < MIN_EXAMPLES)
      report(
        [...path, 'examples'],
        key,
        explain('answer.few_examples', { answer: intent.key, count: intent.examples.length, enough: MIN_EXAMPLES }),
        'advice',
      );
    for (const [at, example] of intent.examples.entries()) {
      const plain = plainText(example);
      const owner = ownerByExample.get(plain);
      ownerByExample.set(plain, intent.key);
      if (plain === '') report([...path, 'examples', at], key, explain('answer.example_empty', { answer: intent.key }));
      else if (owner !== undefined && owner !== intent.key)
        report(
          [...path, 'examples', at],
          key,
          explain('answer.example_ambiguous', { example, answer: owner, other: intent.key }),
        );
    }
  }
}

/** These have a second sentence, with `_at`, that names the level. */
type LevelledCode = Extract<
  ExplanationCode,
  'dialogue.endless' | 'dialogue.replies_endless' | 'dialogue.objective_unmet'
>;

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
  const reportAt = (
    levels: readonly PracticeDifficulty[],
    code: LevelledCode,
    { severity = 'error', values = {} }: { severity?: 'error' | 'advice'; values?: Explanation['values'] } = {},
  ): void => {
    if (levels.length === PRACTICE_DIFFICULTIES.length) report(['nodes'], null, { code, values }, severity);
    else
      for (const level of levels)
        report(['nodes'], null, { code: `${code}_at`, values: { ...values, level } }, severity);
  };
  if (endless.length > 0) reportAt(endless, 'dialogue.endless');
  else reportAt(withoutReplies, 'dialogue.replies_endless', { severity: 'advice' });
  for (const [objective, levels] of unmet) reportAt(levels, 'dialogue.objective_unmet', { values: { objective } });
  for (const [index, { key }] of script.nodes.entries())
    if (!reachedAnywhere.has(key)) report(['nodes', index], key, explain('step.unreachable', { step: key }));
}

/** The steps that are reached by a learner who says only model replies. */
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
