/** Puts a word on the list for review, with its sentence. */
import { t } from '@parley/i18n';
import { Button } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../../foundation/host/host-context.tsx';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';

export function AddToReview({ word, sentence }: { word: string; sentence: string }): ReactElement {
  const { client } = useHost();
  const add = useMutation({ mutationFn: () => client.review.add({ word, sentence }) });
  return (
    <>
      {add.isSuccess ? (
        <span role="status">{t('“{word}” is on your list.', { word })}</span>
      ) : (
        <Button icon="check" onPress={() => add.mutate()} isDisabled={add.isPending}>
          {t('Add to review')}
        </Button>
      )}
      {add.isError && <ErrorBanner error={add.error} />}
    </>
  );
}
