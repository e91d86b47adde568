/** The browser's processing of the microphone signal, and how each option affects the scores. */
import { t } from '@parley/i18n';
import type { DeviceSettings } from '@parley/contract';
import { MutedText, Switch } from '@parley/ui';
import type { ReactElement } from 'react';
import type { AudioProcessing } from '../audio/index.ts';
import type { SaveSettings } from '../foundation/host/use-save-settings.ts';
import css from './settings.module.css';

interface Choice {
  setting: keyof AudioProcessing;
  label: string;
  effect: string;
}

const CHOICES: readonly Choice[] = [
  {
    setting: 'echoCancellation',
    label: t('Remove echo'),
    effect: t(
      'Removes what your speakers play from the recording. It can also remove parts of your voice, and those words then score lower. Calls always use it.',
    ),
  },
  {
    setting: 'noiseSuppression',
    label: t('Reduce noise'),
    effect: t(
      'Makes a noisy room quieter. It can blur or swallow soft sounds, such as /s/, /f/ or the end of a word, and those then score lower.',
    ),
  },
  {
    setting: 'autoGainControl',
    label: t('Adjust the volume'),
    effect: t(
      'Makes a quiet voice louder, and the noise in your pauses too. Parley may then find fewer pauses, or call a quiet room noisy and give no score.',
    ),
  },
];

export function AudioProcessingSettings({
  device,
  save,
}: {
  device: DeviceSettings;
  save: Pick<SaveSettings, 'device'>;
}): ReactElement {
  return (
    <details className={css['processing']}>
      <summary>{t('Sound processing')}</summary>
      <MutedText small>
        {t(
          'Scores are most reliable with all of these off. Some headsets and systems process sound themselves, which Parley can’t switch off.',
        )}
      </MutedText>
      {CHOICES.map(({ setting, label, effect }) => (
        <div key={setting}>
          <Switch isSelected={device[setting]} onChange={(isOn) => save.device({ [setting]: isOn })}>
            {label}
          </Switch>
          <MutedText small>{effect}</MutedText>
        </div>
      ))}
    </details>
  );
}
