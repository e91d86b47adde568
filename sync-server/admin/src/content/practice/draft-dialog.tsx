/** Has the server's language model write a practice as a draft. */
import { t } from '@parley/i18n';
import { ENGLISH_LEVELS, type EnglishLevel } from '@parley/domain';
import { Banner, Button, Dialog } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { LEVEL_NAMES } from '../../foundation/screen/format.ts';
import { Choice, Text } from '../fields.tsx';
import { useCoaches } from './use-coaches.ts';
import { writeDraft } from './write-draft.ts';
import css from '../content.module.css';

const MIN_SITUATION = 10;
const MAX_SITUATION = 4_000;

export function DraftDialog({
  onClose,
  onDrafted,
}: {
  onClose: () => void;
  onDrafted: (id: string) => void;
}): ReactElement {
  const [situation, setSituation] = useState('');
  const [level, setLevel] = useState<EnglishLevel>('intermediate');
  const [agentId, setAgentId] = useState('');
  const coaches = useCoaches();
  // After the dialog is closed, it must neither create a practice nor leave the screen that the admin has moved on to.
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const draft = useMutation({
    mutationFn: () => {
      const { signal } = (running.current = new AbortController());
      const request = { situation, level, agentId: agentId === '' ? null : agentId };
      return writeDraft(client.content, request, { signal, onDrafted });
    },
  });
  return (
    <Dialog title={t('Draft a practice')} isOpen onClose={onClose}>
      <p>{t('Describe a situation. The language model of this server writes a first version, which you correct.')}</p>
      <Text
        label={t('Situation')}
        description={t('Who is talking to whom, what it’s about, and what makes it difficult.')}
        value={situation}
        maxLength={MAX_SITUATION}
        rows={5}
        onChange={setSituation}
      />
      <Choice
        label={t('The learners’ level')}
        value={level}
        options={ENGLISH_LEVELS.map((value) => ({ value, label: LEVEL_NAMES[value] }))}
        onChange={setLevel}
      />
      <Choice
        label={t('Coach')}
        value={agentId}
        options={[{ value: '', label: t('Choose later') }, ...coaches]}
        onChange={setAgentId}
      />
      {draft.isError && <Banner tone="error">{errorSentence(draft.error)}</Banner>}
      {draft.data?.status === 'unavailable' && (
        <Banner tone="warn">
          {t('This server has no language model. Ask the person who runs it to set {setting}.', {
            setting: draft.data.missing,
          })}
        </Banner>
      )}
      {draft.data?.status === 'unusable' && (
        <Banner tone="warn">
          {t('The model didn’t write a usable practice. Try again, or describe it in other words.')}
        </Banner>
      )}
      <div className={css['buttons']}>
        <Button
          variant="primary"
          isDisabled={situation.trim().length < MIN_SITUATION || situation.length > MAX_SITUATION || draft.isPending}
          onPress={() => draft.mutate()}
        >
          {draft.isPending ? t('Drafting…') : t('Draft it')}
        </Button>
        <Button onPress={onClose}>{t('Cancel')}</Button>
      </div>
    </Dialog>
  );
}
