/** A sample result as a picture: the score field of the app, whose filled area is the score. */
import type { Localizer } from '@parley/i18n';
import { type Html, html } from '../../web/html.ts';

interface SamplePart {
  name: string;
  score: number;
  /** Percent of the overall score. */
  weight: number;
  explanation: string;
}

/** A real result, calculated according to the business rules: the weakest part of speaking counts double. */
export const sampleParts = ({ t }: Localizer): readonly SamplePart[] => [
  {
    name: t('Sounds'),
    score: 68,
    weight: 28,
    explanation: t(
      'How clear each sound was. In “anything”, the “th” came out as “t”. Select the word in the app to hear yourself, then a model voice.',
    ),
  },
  {
    name: t('Melody'),
    score: 79,
    weight: 14,
    explanation: t(
      'Whether your voice rises on the words that matter. In “We cannot deliver”, “cannot” should be the highest word.',
    ),
  },
  {
    name: t('Flow'),
    score: 84,
    weight: 14,
    explanation: t('Speed and pauses. Pauses between sentences are fine; pauses inside one cost points.'),
  },
  {
    name: t('Completeness'),
    score: 100,
    weight: 14,
    explanation: t('Whether every word of the sentence was there.'),
  },
  {
    name: t('Objectives'),
    score: 100,
    weight: 30,
    explanation: t(
      'The objectives of the conversation: say what happened, apologise, name a new date, offer help. All four were reached.',
    ),
  },
];

const WIDTH = 440;
const HEIGHT = 200;
const COLUMN_GAP = 3;

/** Each column is as wide as its weight and as high as its score, so the filled area is the overall score. */
export function scoreField(localizer: Localizer): Html {
  const { t } = localizer;
  const parts = sampleParts(localizer);
  const percent = new Intl.NumberFormat(localizer.locale, { style: 'percent' });
  const total = Math.round(parts.reduce((sum, { score, weight }) => sum + (score * weight) / 100, 0));
  const usable = WIDTH - COLUMN_GAP * (parts.length - 1);
  let x = 0;
  const columns = parts.map(({ name, score, weight }) => {
    const width = (usable * weight) / 100;
    const top = HEIGHT * (1 - score / 100);
    const middle = x + width / 2;
    const missing = Math.round((weight * (100 - score)) / 100);
    const column = html`<rect
        class="missing"
        x="${x.toFixed(1)}"
        y="0"
        width="${width.toFixed(1)}"
        height="${HEIGHT}"
      />
      <rect
        class="got"
        x="${x.toFixed(1)}"
        y="${top.toFixed(1)}"
        width="${width.toFixed(1)}"
        height="${(HEIGHT - top).toFixed(1)}"
      />
      ${missing === 0 ? null : html`<text class="gap" x="${middle.toFixed(1)}" y="${(top / 2 + 5).toFixed(1)}" text-anchor="middle">−${missing}</text>`}
      <text class="on" x="${middle.toFixed(1)}" y="${(top + 24).toFixed(1)}" text-anchor="middle">${score}</text>
      <text x="${middle.toFixed(1)}" y="220" text-anchor="middle">${name}</text>
      <text class="gap" x="${middle.toFixed(1)}" y="237" text-anchor="middle">${percent.format(weight / 100)}</text>`;
    x += width + COLUMN_GAP;
    return column;
  });
  const sentence = parts
    .map(({ name, score, weight }) =>
      t('{name} {score}, counts for {weight}', { name, score, weight: percent.format(weight / 100) }),
    )
    .join('; ');
  return html`<p class="total">
      <b>${total}</b>
      <span>
        ${t('out of 100. Grace, the client, got everything she needed. Nine of the 14 missing points are for sounds.')}
      </span>
    </p>
    <svg class="field" viewBox="0 0 ${WIDTH} 242" direction="ltr" role="img" aria-label="${sentence}">${columns}</svg>`;
}
