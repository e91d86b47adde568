/** Has the language model of the server write a practice, as a draft. */
import { ENGLISH_LEVELS, type EnglishLevel } from '@parley/domain';
import { Banner, Button, Dialog } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { Choice, Text } from '../fields.tsx';
import { useCoaches } from './use-coaches.ts';
import css from '../content.module.css';

const MIN_SITUATION = 10;

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
  const draft = useMutation({
    mutationFn: async () => {
      const result = await client.content.draftPractice({ situation, level, agentId: agentId === '' ? null : agentId });
      if (result.status !== 'drafted') return result;
      const { id } = await client.content.create({
        kind: 'practice',
        id: crypto.randomUUID(),
        document: result.document,
      });
      onDrafted(id);
      return result;
    },
  });
  return (
    <Dialog title="Draft a practice" isOpen onClose={onClose}>
      <p>Describe a situation. The language model of this server writes a first version, which you correct.</p>
      <Text
        label="Situation"
        description="Who talks to whom, about what, and what makes it hard."
        value={situation}
        maxLength={4_000}
        rows={5}
        onChange={setSituation}
      />
      <Choice
        label="The learners’ level"
        value={level}
        options={ENGLISH_LEVELS.map((value) => ({ value, label: `${value[0]?.toUpperCase() ?? ''}${value.slice(1)}` }))}
        onChange={setLevel}
      />
      <Choice
        label="Coach"
        value={agentId}
        options={[{ value: '', label: 'Choose later' }, ...coaches]}
        onChange={setAgentId}
      />
      {draft.isError && <Banner tone="error">{errorSentence(draft.error)}</Banner>}
      {draft.data?.status === 'unavailable' && (
        <Banner tone="warn">
          This server has no language model. Ask the person who runs it to set {draft.data.missing}.
        </Banner>
      )}
      {draft.data?.status === 'unusable' && (
        <Banner tone="warn">
          The model did not write a usable practice. Try again, or describe it in other words.
        </Banner>
      )}
      <div className={css['buttons']}>
        <Button
          variant="primary"
          isDisabled={situation.trim().length < MIN_SITUATION || draft.isPending}
          onPress={() => draft.mutate()}
        >
          {draft.isPending ? 'Writing …' : 'Draft it'}
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </Dialog>
  );
}
