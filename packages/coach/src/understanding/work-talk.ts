/** Whether a sentence sounds like an answer in some scene at work at all, whichever: learnt from all scenes and from what belongs to none. */
import { type Features, featureReader } from './features.ts';
import { trainClassifier } from './softmax.ts';

const SHIPPED = /^(?:word|first|start|slot|question|form|length|meaning|not|negated|positive)/;
const plainFeatures = (features: Features): Features => new Map([...features].filter(([name]) => SHIPPED.test(name)));

export interface TalkOdds {
  /** Logarithms of the odds of an answer against something said back to the coach, and against talk that belongs nowhere. */
  overAsks: number;
  overOff: number;
}

export function trainWorkTalk(
  answers: readonly string[],
  asks: readonly string[],
  off: readonly string[],
): (text: string) => TalkOdds {
  const features = featureReader([]);
  const all = (label: string, texts: readonly string[], share: number) =>
    texts.map((text) => ({
      features: plainFeatures(features(text)),
      label,
      weight: (share * answers.length) / texts.length,
    }));
  const { labels, classify } = trainClassifier([
    ...all('answer', answers, 1),
    ...all('asks', asks, 0.5),
    ...all('off', off, 0.5),
  ]);
  const at = (label: string): number => labels.indexOf(label);
  const [answer, ask, other] = [at('answer'), at('asks'), at('off')];
  return (text) => {
    const p = classify(plainFeatures(features(text)));
    const odds = (against: number): number => Math.log(((p[answer] ?? 0) + 1e-4) / ((p[against] ?? 0) + 1e-4));
    return { overAsks: odds(ask), overOff: odds(other) };
  };
}
