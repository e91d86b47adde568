/** Puts a word on the list for review, with its sentence, and takes it back. */
import { t } from '@parley/i18n';
import { typographic } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { NextStepButton } from '../foundation/screen/next-step-button.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';

export function AddToReview({ word, sentence }: { word: string; sentence: string }): ReactElement {
  const { client } = useHost();
  const add = useMutation({ mutationFn: () => client.review.add({ word, sentence }) });
  const undo = useMutation({
    mutationFn: (added: { attemptId: string }) => client.review.undo(added),
    onSuccess: () => add.reset(),
  });
  const failure = add.error ?? undo.error;
  return (
    <>
      {add.isSuccess ? (
        <>
          <span role="status">{t('“{word}” is on your list.', { word: typographic(word) })}</span>
          <NextStepButton variant="quiet" onPress={() => undo.mutate(add.data)} isDisabled={undo.isPending}>
            {t('Undo')}
          </NextStepButton>
        </>
      ) : (
        <NextStepButton icon="check" onPress={() => add.mutate()} isDisabled={add.isPending}>
          {t('Add to review')}
        </NextStepButton>
      )}
      {failure !== null && <ErrorBanner error={failure} />}
    </>
  );
}
