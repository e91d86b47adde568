/**
 * Prepares scene coaches: trains what they need in short slices, so that the host stays responsive, and keeps the models of recent scenes.
 */
import type { Dialogue } from '@parley/domain';
import { createSceneCoach } from './scene/scene-coach.ts';
import type { SceneCoach } from './scene/scene-turn.ts';
import { type BaseReader, createBaseReader, readBaseFeatures } from './classification/features.ts';
import type { SharedActs } from './classification/shared-acts.ts';
import type { Trainable } from './classification/training.ts';
import { loadSharedModels } from './classification/shared-models.ts';
import type { SceneReader } from './turn/scene-reader.ts';
import { createSceneReader } from './turn/understand-turn.ts';

/** The coach who plays a scene, and the manner in which they do so. */
export interface SceneRole {
  coachName: string;
  seed: number;
  reassure?: readonly string[];
  /** Words that the practice explains. */
  words?: readonly { word: string; meaning: string }[];
}

export interface Understanding {
  /** Resolves when answers at these nodes can be understood immediately. Nodes that do not exist are ignored. */
  prepare: (dialogue: Dialogue, nodes: readonly string[]) => Promise<void>;
  /** Returns null for a dialogue that only recognises model replies. Models that are not prepared are trained when they are needed. */
  coachFor: (dialogue: Dialogue, role: SceneRole) => SceneCoach | null;
  /** Stops training that is under way. */
  close: () => void;
}

export const understandsAnswers = ({ nodes }: Dialogue): boolean =>
  nodes.some(({ understanding }) => understanding !== undefined);

/** How long training may run before other work gets a turn. */
const SLICE_MS = 8;
/** A scene's models take about 50 MB, most of it cached features. */
const MAX_SCENES = 2;

export function createUnderstanding(
  loadShared: () => SharedActs,
  pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve)),
): Understanding {
  /** Every scene reads the shared texts, but only one reads its own. */
  const readSharedText = createBaseReader();
  const sharedTexts = new Set<string>();
  const readShared: BaseReader = (text) => (sharedTexts.has(text) ? readSharedText(text) : readBaseFeatures(text));
  let loaded: SharedActs | null = null;
  function shared(): SharedActs {
    if (loaded !== null) return loaded;
    loaded = loadShared();
    [...loaded.off, ...Object.values(loaded.asks).flatMap(({ examples }) => examples)].forEach((text) =>
      sharedTexts.add(text),
    );
    return loaded;
  }
  const readerByScene = new Map<string, SceneReader>();

  function readerOf(dialogue: Dialogue): SceneReader {
    const scene = JSON.stringify(dialogue);
    const reader =
      readerByScene.get(scene) ??
      createSceneReader(dialogue, shared(), { readBase: readShared, loadModels: loadSharedModels });
    readerByScene.delete(scene);
    readerByScene.set(scene, reader);
    for (const oldest of readerByScene.keys()) {
      if (readerByScene.size <= MAX_SCENES) break;
      readerByScene.delete(oldest);
    }
    return reader;
  }

  const inTraining = new WeakMap<Trainable<unknown>, Promise<void>>();
  let isClosed = false;

  /** Requests for the same model share one training. */
  function train(model: Trainable<unknown>): Promise<void> {
    const training = inTraining.get(model) ?? trainInSlices(model);
    inTraining.set(model, training);
    return training;
  }

  async function trainInSlices(model: Trainable<unknown>): Promise<void> {
    while (!isClosed) {
      const sliceEnd = performance.now() + SLICE_MS;
      while (performance.now() < sliceEnd) if (model.step()) return;
      await pause();
    }
  }

  return {
    prepare: async (dialogue, nodes) => {
      if (!understandsAnswers(dialogue)) return;
      const reader = readerOf(dialogue);
      for (const model of new Set(nodes.flatMap((node) => reader.modelsAt(node)))) await train(model);
    },
    coachFor: (dialogue, role) =>
      understandsAnswers(dialogue)
        ? createSceneCoach(dialogue, { ...role, shared: shared(), reader: readerOf(dialogue) })
        : null,
    close: () => {
      isClosed = true;
    },
  };
}
