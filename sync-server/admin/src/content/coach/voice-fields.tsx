/** The voice of a coach, with a sample. */
import { t } from '@parley/i18n';
import type { CoachVoice } from '@parley/domain';
import type { ReactElement } from 'react';
import { formatShare } from '../../foundation/screen/format.ts';
import { Choice, Field } from '../fields.tsx';
import { VoiceSample } from './voice-sample.tsx';
import css from '../content.module.css';

const RANGE = { min: 0.5, max: 1.5, step: 0.05 };

export function VoiceFields({
  name,
  voice,
  onChange,
}: {
  name: string;
  voice: CoachVoice;
  onChange: (voice: CoachVoice) => void;
}): ReactElement {
  return (
    <>
      <div className={css['columns']}>
        <Choice
          label={t('Voice')}
          value={voice.gender}
          options={[
            { value: 'female', label: t('Female') },
            { value: 'male', label: t('Male') },
          ]}
          onChange={(gender) => onChange({ ...voice, gender })}
        />
        <Choice
          label={t('Accent')}
          value={voice.locale}
          options={[
            { value: 'en-GB', label: t('British') },
            { value: 'en-US', label: t('American') },
            { value: 'en-AU', label: t('Australian') },
            { value: 'en-IN', label: t('Indian') },
            { value: 'en-IE', label: t('Irish') },
          ]}
          onChange={(locale) => onChange({ ...voice, locale })}
        />
        <Slider label={t('Speed')} value={voice.rate} onChange={(rate) => onChange({ ...voice, rate })} />
        <Slider label={t('Pitch')} value={voice.pitch} onChange={(pitch) => onChange({ ...voice, pitch })} />
      </div>
      <VoiceSample name={name} voice={voice} />
    </>
  );
}

const Slider = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}): ReactElement => (
  <Field label={label} description={formatShare(value)}>
    {(props) => (
      <input
        {...props}
        {...RANGE}
        type="range"
        value={value}
        aria-valuetext={formatShare(value)}
        onChange={({ target }) => onChange(target.valueAsNumber)}
      />
    )}
  </Field>
);
