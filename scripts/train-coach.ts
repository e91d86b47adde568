/**
 * Trains what all scenes share, from the content of the catalogue, and writes `src/understanding/shared-models.json`:
 *
 *     node scripts/train-coach.ts
 *
 * 1. The talk model: whether a sentence sounds like an answer, a remark to the coach or off-topic talk in any scene.
 * 2. The weights of the evidence at a node, fitted by cross-validation: on examples that no classifier had seen in training.
 *
 * It reads no held-out answers. The same content gives the same weights. Needed after larger changes to the content; it takes a minute.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import type { Dialogue } from '@parley/domain';
import { EVIDENCE_NAMES, type EvidenceWeights } from '../packages/coach/src/understanding/evidence.ts';
import { createBaseReader } from '../packages/coach/src/understanding/features.ts';
import {
  askableWords,
  fillWords,
  hasWordPlaceholder,
  type SharedActs,
} from '../packages/coach/src/understanding/shared-acts.ts';
import {
  packTalkWeights,
  TALK_KINDS,
  type TalkKind,
  type TalkModel,
  talkModelOf,
  trainTalkModel,
} from '../packages/coach/src/understanding/talk-model.ts';
import type { Training } from '../packages/coach/src/understanding/training.ts';
import { createSceneReader } from '../packages/coach/src/understanding/understand-turn.ts';

const FOLDS = 3;
const content = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const target = fileURLToPath(new URL('../packages/coach/src/understanding/shared-models.json', import.meta.url));
const dialogues = readScenes(content).map(({ dialogue }) => dialogue);
const { asks, off, other_languages: otherLanguages } = readSharedActs(content);
const readFeatures = createBaseReader();

function finish<Result>(training: Training<Result>): Result {
  for (;;) {
    const next = training.next();
    if (next.done === true) return next.value;
  }
}

type Keep = <Item>(items: readonly Item[]) => Item[];
const keepAll: Keep = (items) => [...items];
const without =
  (fold: number): Keep =>
  (items) =>
    items.filter((_, index) => index % FOLDS !== fold);
const only =
  (fold: number): Keep =>
  (items) =>
    items.filter((_, index) => index % FOLDS === fold);

const keepShared = (keep: Keep): SharedActs => ({
  asks: Object.fromEntries(
    Object.entries(asks).map(([act, { replies, examples }]) => [act, { replies, examples: keep(examples) }]),
  ),
  off: keep(off),
});

const keepExamples = (dialogue: Dialogue, keep: Keep): Dialogue => ({
  ...dialogue,
  facts: dialogue.facts?.map((fact) => ({ ...fact, asks: keep(fact.asks) })),
  nodes: dialogue.nodes.map(({ understanding, ...node }) => ({
    ...node,
    ...(understanding !== undefined && {
      understanding: {
        ...understanding,
        unforeseen: keep(understanding.unforeseen),
        decoys: keep(understanding.decoys),
        intents: understanding.intents.map((intent) => ({ ...intent, examples: keep(intent.examples) })),
      },
    }),
  })),
});

/** Half of the examples of an intent are enough to know what answers sound like. */
const isEven = (_: unknown, index: number): boolean => index % 2 === 0;
const WORD_STEP = 12;

function trainTalk(keep: Keep) {
  const nodes = dialogues.flatMap((dialogue) => keepExamples(dialogue, keep).nodes);
  const understood = nodes.flatMap(({ understanding }) => (understanding === undefined ? [] : [understanding]));
  const sharedAsks = Object.values(asks).flatMap(({ examples }) => keep(examples));
  const templates = sharedAsks.filter(hasWordPlaceholder);
  const words = [...new Set(nodes.flatMap(askableWords))].filter((_, index) => index % WORD_STEP === 0);
  return finish(
    trainTalkModel(
      {
        answer: understood.flatMap(({ unforeseen, intents }) => [
          ...unforeseen,
          ...intents.flatMap(({ examples }) => examples.filter(isEven)),
        ]),
        asks: [
          ...sharedAsks.filter((example) => !hasWordPlaceholder(example)),
          ...words.flatMap((word, at) =>
            fillWords(
              templates.filter((_, index) => (index + at) % 3 === 0),
              [word],
            ),
          ),
          ...dialogues.flatMap(({ facts = [] }) => facts.flatMap((fact) => keep(fact.asks).filter(isEven))),
        ],
        off: [...keep(off), ...otherLanguages, ...understood.flatMap(({ decoys }) => decoys)],
      },
      readFeatures,
    ),
  );
}

/** What a recogniser writes: no capitals and no punctuation, and so no question mark. */
const asTranscript = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}' ]/gu, '');

interface Row {
  kind: TalkKind;
  evidence: number[];
}

/** How many unseen examples each node is asked about. */
const ASKED = { intent: 4, decoys: 2, asks: 10, off: 14 };

/** Each node is looked at in one fold only, which is enough: the weights are few. */
function collectRows(fold: number): Row[] {
  const talk: TalkModel = talkModelOf(trainTalk(without(fold)));
  const unseen = only(fold);
  const sharedAsks = Object.values(asks).flatMap(({ examples }) => unseen(examples));
  const unseenOff = unseen(off);
  const trained = keepShared(without(fold));
  let turn = fold;
  return dialogues.flatMap((dialogue, scene) => {
    const reader = createSceneReader(keepExamples(dialogue, without(fold)), trained, {
      readBase: readFeatures,
      loadModels: () => ({ talk, evidence: NO_EVIDENCE }),
    });
    return dialogue.nodes.flatMap((node, index) => {
      const { understanding } = node;
      if (understanding === undefined || (scene + index) % FOLDS !== fold) return [];
      turn += 1;
      const draw = (texts: readonly string[], count: number): string[] =>
        Array.from({ length: count }, (_, k) => texts[(turn * count + k * 41) % texts.length] ?? '');
      const texts: Record<TalkKind, string[]> = {
        answer: [
          ...understanding.intents.flatMap(({ examples }) => unseen(examples).slice(0, ASKED.intent)),
          ...unseen(understanding.unforeseen),
        ],
        asks: [
          ...fillWords(draw(sharedAsks, ASKED.asks), askableWords(node)),
          ...(dialogue.facts ?? []).flatMap((fact) => unseen(fact.asks).slice(0, 1)),
        ],
        off: [...unseen(understanding.decoys).slice(0, ASKED.decoys), ...draw(unseenOff, ASKED.off)],
      };
      return TALK_KINDS.flatMap((kind) =>
        texts[kind]
          .flatMap((text) => [text, asTranscript(text)])
          .map((text) => ({ kind, evidence: reader.evidence(node.key, text) })),
      );
    });
  });
}

const NO_EVIDENCE: EvidenceWeights = { answer: [], asks: [], off: [] };

/** How common each kind is taken to be; chosen on `bench/src/coach/development.jsonl`. */
const PRIOR: Readonly<Record<TalkKind, number>> = { answer: 1, asks: 1.4, off: 0.4 };
const FITTING = { steps: 300, slowAfter: 200, rate: 0.05, slowRate: 0.01, memory: 0.95, l2: 1e-2 };

/** Multinomial logistic regression on standardised evidence, each kind with the same total weight (RMSprop on all rows). */
function fitEvidence(rows: readonly Row[]): EvidenceWeights {
  const count = EVIDENCE_NAMES.length;
  const columns = EVIDENCE_NAMES.map((_, at) => rows.map(({ evidence }) => evidence[at] ?? 0));
  const means = columns.map((column, at) =>
    at === 0 ? 0 : column.reduce((sum, value) => sum + value, 0) / rows.length,
  );
  const deviations = columns.map((column, at) =>
    at === 0
      ? 1
      : Math.sqrt(column.reduce((sum, value) => sum + (value - (means[at] ?? 0)) ** 2, 0) / rows.length) + 1e-9,
  );
  const inputs = rows.map(({ evidence }) =>
    Float64Array.from(evidence, (value, at) => (value - (means[at] ?? 0)) / (deviations[at] ?? 1)),
  );
  const kinds = rows.map(({ kind }) => TALK_KINDS.indexOf(kind));
  const shares = TALK_KINDS.map((_, c) => 1 / (TALK_KINDS.length * kinds.filter((kind) => kind === c).length));
  const weights = new Float64Array(TALK_KINDS.length * count);
  const squares = new Float64Array(weights.length).fill(1e-8);
  for (let step = 0; step < FITTING.steps; step += 1) {
    const gradient = weights.map((weight, at) => (at % count === 0 ? 0 : FITTING.l2 * weight));
    inputs.forEach((input, row) => {
      const scores = TALK_KINDS.map((_, c) => {
        let score = 0;
        for (let at = 0; at < count; at += 1) score += (weights[c * count + at] as number) * (input[at] as number);
        return score;
      });
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const total = powers.reduce((sum, power) => sum + power, 0);
      const kind = kinds[row] ?? 0;
      powers.forEach((power, c) => {
        const error = (power / total - (c === kind ? 1 : 0)) * (shares[kind] ?? 0);
        for (let at = 0; at < count; at += 1)
          gradient[c * count + at] = (gradient[c * count + at] as number) + error * (input[at] as number);
      });
    });
    const rate = step < FITTING.slowAfter ? FITTING.rate : FITTING.slowRate;
    gradient.forEach((value, at) => {
      squares[at] = FITTING.memory * (squares[at] ?? 0) + (1 - FITTING.memory) * value * value;
      weights[at] = (weights[at] ?? 0) - (rate * value) / Math.sqrt(squares[at] ?? 1);
    });
  }
  const [answer = [], toCoach = [], other = []] = TALK_KINDS.map((kind, c) => {
    const scaled = EVIDENCE_NAMES.map((_, at) => (weights[c * count + at] ?? 0) / (deviations[at] ?? 1));
    const shift = scaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
    return scaled.map((weight, at) => Number((at === 0 ? weight - shift + Math.log(PRIOR[kind]) : weight).toFixed(3)));
  });
  return { answer, asks: toCoach, off: other };
}

const rows = Array.from({ length: FOLDS }, (_, fold) => collectRows(fold)).flat();
const evidence = fitEvidence(rows);
const talk = packTalkWeights(trainTalk(keepAll));
writeFileSync(
  target,
  `${JSON.stringify({ source: 'Trained on the content of packages/catalogue (MIT) by scripts/train-coach.ts', evidenceNames: EVIDENCE_NAMES, evidence, talk })}\n`,
);
