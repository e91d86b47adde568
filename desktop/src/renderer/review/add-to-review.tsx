/** Adds a word to the review list, with its sentence, and undoes that. */
import { t } from '@parley/i18n';
import { Button, typographic } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ChangeNotice } from '../foundation/screen/change-notice.tsx';
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
          <span role="status">
            <ChangeNotice>{t('“{word}” is on your list.', { word: typographic(word) })}</ChangeNotice>
          </span>
          <Button key="undo" variant="quiet" onPress={() => undo.mutate(add.data)} isDisabled={undo.isPending}>
            {t('Undo')}
          </Button>
        </>
      ) : (
        <>
          {undo.isSuccess && (
            <span role="status">
              <ChangeNotice>{t('“{word}” is off your list.', { word: typographic(word) })}</ChangeNotice>
            </span>
          )}
          {/* A key of its own prevents the focus from staying on what has become a different button. */}
          <Button key="add" icon="check" onPress={() => add.mutate()} isDisabled={add.isPending}>
            {t('Add to review')}
          </Button>
        </>
      )}
      {failure !== null && <ErrorBanner error={failure} />}
    </>
  );
}
