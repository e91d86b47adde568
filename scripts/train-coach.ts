/**
 * Trains what all scenes share, from the content of the catalogue, and writes `src/understanding/classification/shared-models.json`:
 *
 *     node scripts/train-coach.ts
 *
 * 1. The talk model: whether a sentence sounds like an answer, a remark to the coach or off-topic talk in any scene.
 * 2. The weights of the evidence at a node, fitted by cross-validation: on examples that no classifier had seen in training.
 *
 * It reads no held-out answers. The same content gives the same weights. Needed after larger changes to the content; it takes two minutes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readScenes, readSharedActs } from '@parley/catalogue/scenes';
import { EVIDENCE_NAMES, type EvidenceWeights } from '../packages/coach/src/understanding/turn/evidence.ts';
import { createBaseReader } from '../packages/coach/src/understanding/classification/features.ts';
import { askableWords, fillWords } from '../packages/coach/src/understanding/classification/shared-acts.ts';
import {
  packTalkWeights,
  TALK_KINDS,
  type TalkKind,
  type TalkModel,
  talkModelOf,
  trainTalkModel,
} from '../packages/coach/src/understanding/classification/talk-model.ts';
import type { Training } from '../packages/coach/src/understanding/classification/training.ts';
import { createSceneReader } from '../packages/coach/src/understanding/turn/understand-turn.ts';
import { asTranscript, createBeginner, createMisheard, createRandom } from './coach-training/corrupt-text.ts';
import { type EvidenceRow, fitEvidence } from './coach-training/fit-evidence.ts';
import { FOLDS, type Keep, keepAll, keepExamples, keepShared, only, without } from './coach-training/folds.ts';
import { collectTalkExamples, readTalkExamples } from './coach-training/talk-examples.ts';

const content = fileURLToPath(new URL('../packages/catalogue/content', import.meta.url));
const target = fileURLToPath(
  new URL('../packages/coach/src/understanding/classification/shared-models.json', import.meta.url),
);
const dialogues = readScenes(content).map(({ dialogue }) => dialogue);
const { other_languages: otherLanguages, ...shared } = readSharedActs(content);
const readFeatures = createBaseReader();

const vocabulary = new Set(
  dialogues
    .flatMap(({ nodes }) =>
      nodes.flatMap(({ say, replies }) => [
        ...Object.values(say),
        ...Object.values(replies).flatMap((each) => each.map(({ text }) => text)),
      ]),
    )
    .flatMap((text) => asTranscript(text).split(' '))
    .filter((word) => word !== ''),
);

function finish<Result>(training: Training<Result>): Result {
  for (;;) {
    const next = training.next();
    if (next.done === true) return next.value;
  }
}

function trainTalk(keep: Keep) {
  const examples = collectTalkExamples(
    dialogues.map((dialogue) => keepExamples(dialogue, keep)),
    keepShared(shared, keep),
    otherLanguages,
  );
  return finish(trainTalkModel(readTalkExamples(examples, vocabulary, readFeatures)));
}

/** The number of unseen examples on which each node is tested. */
const ASKED = { intent: 4, decoys: 2, asks: 12, off: 14 };

/** Only every second node is used, in one fold, which is enough because there are few weights. */
const NODE_STEP = 2;

function collectRows(fold: number): EvidenceRow[] {
  const talk: TalkModel = talkModelOf(trainTalk(without(fold)));
  const unseen = only(fold);
  const sharedAsks = Object.values(shared.asks).flatMap(({ examples }) => unseen(examples));
  const unseenOff = unseen(shared.off);
  const trained = keepShared(shared, without(fold));
  const random = createRandom(fold + 5);
  const copies = [asTranscript, createMisheard(vocabulary, random), createBeginner(random)];
  let turn = fold;
  return dialogues.flatMap((dialogue, scene) => {
    const reader = createSceneReader(keepExamples(dialogue, without(fold)), trained, {
      readBase: readFeatures,
      loadModels: () => ({ talk, evidence: NO_EVIDENCE }),
    });
    return dialogue.nodes.flatMap((node, index) => {
      const { understanding } = node;
      if (understanding === undefined || (scene + index) % (FOLDS * NODE_STEP) !== fold) return [];
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
        off: [
          ...unseen(understanding.decoys).slice(0, ASKED.decoys),
          ...fillWords(draw(unseenOff, ASKED.off), askableWords(node)),
        ],
      };
      return TALK_KINDS.flatMap((kind) =>
        texts[kind]
          .flatMap((text, at) => [text, copies[at % copies.length]?.(text) ?? text])
          .map((text) => ({ kind, evidence: reader.evidence(node.key, text) })),
      );
    });
  });
}

const NO_EVIDENCE: EvidenceWeights = { answer: [], asks: [], off: [] };

const rows = Array.from({ length: FOLDS }, (_, fold) => collectRows(fold)).flat();
const evidence = fitEvidence(rows);
const talk = packTalkWeights(trainTalk(keepAll));
writeFileSync(
  target,
  `${JSON.stringify({ source: 'Trained on the content of packages/catalogue (MIT) by scripts/train-coach.ts', evidenceNames: EVIDENCE_NAMES, evidence, talk })}\n`,
);
