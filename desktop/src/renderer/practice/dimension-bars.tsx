/** What was measured of a voice, one bar a dimension; a dash and its reason where nothing was. */
import { DimensionBar } from '@parley/ui';
import type { ReactElement } from 'react';
import css from './practice.module.css';

const WHY_NOT = {
  pron: 'Not measured: nothing was sent that could be scored.',
  accuracy: 'Not measured: no usable recording.',
  fluency: 'Not measured: your turns were too short.',
  prosody: 'Not measured: it needs sentences of five words or more.',
  completeness: 'Not measured: there was no text to compare with.',
  words: 'Not measured: no word was scored.',
} as const;

const NAMES = {
  pron: 'Pronunciation',
  accuracy: 'Accuracy',
  fluency: 'Fluency',
  prosody: 'Rhythm and melody',
  completeness: 'Completeness',
  words: 'Words without error',
} as const;

type Dimension = keyof typeof NAMES;
const ORDER = [
  'pron',
  'accuracy',
  'fluency',
  'prosody',
  'completeness',
  'words',
] as const satisfies readonly Dimension[];

/** Shows the dimensions that are given; `whyNot` replaces the reasons where all are missing for one. */
export function DimensionBars(props: {
  scores: { [Name in Dimension]?: number | null };
  whyNot?: string;
}): ReactElement {
  return (
    <dl className={css['bars']}>
      {ORDER.map((name) => {
        const score = props.scores[name];
        return score === undefined ? null : (
          <DimensionBar key={name} label={NAMES[name]} score={score} whyNot={props.whyNot ?? WHY_NOT[name]} />
        );
      })}
    </dl>
  );
}
