/** The models that all scenes share. `scripts/train-coach.ts` wrote their weights. */
import type { EvidenceWeights } from '../turn/evidence.ts';
import stored from './shared-models.json' with { type: 'json' };
import { type TalkModel, talkModelOf, unpackTalkWeights } from './talk-model.ts';

export interface SharedModels {
  talk: TalkModel;
  evidence: EvidenceWeights;
}

let loaded: SharedModels | null = null;

/** Unpacks the weights on the first call, which takes about 10 ms. */
export const loadSharedModels = (): SharedModels =>
  (loaded ??= { talk: talkModelOf(unpackTalkWeights(stored.talk)), evidence: stored.evidence });
