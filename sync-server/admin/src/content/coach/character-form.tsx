/** A coach's character, phrases, voice and picture. */
import { t } from '@parley/i18n';
import type { CoachDocument } from '@parley/domain';
import { Button } from '@parley/ui';
import type { ReactElement } from 'react';
import { findingsAt, Lines, Text } from '../fields.tsx';
import type { FormProps } from '../forms/form-props.ts';
import { useSet } from '../forms/use-set.ts';
import { PictureField } from '../picture-field.tsx';
import { VoiceFields } from './voice-fields.tsx';
import css from '../content.module.css';

const PHRASES: readonly { name: keyof CoachDocument['manner']; label: string }[] = [
  { name: 'acknowledge', label: t('When an answer was understood') },
  { name: 'praise', label: t('When an objective was met') },
  { name: 'reassure', label: t('When an answer wasn’t understood') },
  { name: 'goodbye', label: t('At the end') },
];
const PICTURE_SIZE = { width: 256, height: 256 };

export function CharacterForm({ document, findings, onChange }: FormProps<'coach'>): ReactElement {
  const set = useSet(document, onChange);
  const at = (...path: string[]) => findingsAt(findings, path, true);
  return (
    <div className={css['form']}>
      <Text label={t('Name')} value={document.name} findings={at('name')} onChange={(name) => set({ name })} />
      <Text
        label={t('How the coach talks')}
        value={document.communicationStyle}
        rows={3}
        findings={at('communicationStyle')}
        onChange={(communicationStyle) => set({ communicationStyle })}
      />
      <div className={css['columns']}>
        <Lines
          label={t('Skills')}
          value={document.skills}
          findings={at('skills')}
          onChange={(skills) => set({ skills })}
        />
        <Lines
          label={t('Traits')}
          value={document.characterTraits}
          findings={at('characterTraits')}
          onChange={(characterTraits) => set({ characterTraits })}
        />
      </div>
      <div className={css['columns']}>
        {PHRASES.map(({ name, label }) => (
          <Lines
            key={name}
            label={label}
            value={document.manner[name]}
            findings={at('manner', name)}
            onChange={(phrases) => set({ manner: { ...document.manner, [name]: phrases } })}
          />
        ))}
      </div>
      <VoiceFields name={document.name} voice={document.voice} onChange={(voice) => set({ voice })} />
      <PictureField
        label={t('Picture')}
        description={t('It’s cut to a square and made small, so that it works offline.')}
        findings={at('avatar')}
        value={document.avatar}
        size={PICTURE_SIZE}
        onChange={(avatar) => set({ avatar })}
      >
        {document.avatar === '' && document.name !== '' && (
          <div>
            <Button onPress={() => set({ avatar: initialsOf(document.name) })}>{t('Use initials instead')}</Button>
          </div>
        )}
      </PictureField>
    </div>
  );
}

function initialsOf(name: string): string {
  const letters = [...name.trim()][0]?.toUpperCase().replaceAll(/[<>&"']/g, '') ?? '';
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#646056"/><text x="48" y="62" font-family="sans-serif" font-size="40" text-anchor="middle" fill="#fff">${letters}</text></svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
