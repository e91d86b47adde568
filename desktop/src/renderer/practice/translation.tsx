/** A coach's line in the learner's own language, where a live coach can be asked and a language was chosen. */
import { Button, Quiet } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { errorSentence } from '../app/error-sentence.ts';
import { useHost } from '../app/host-context.tsx';

export function Translation({ text }: { text: string }): ReactElement | null {
  const { client, queries } = useHost();
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  const language = useQuery(queries.settings.read.queryOptions()).data?.device.ownLanguage ?? null;
  const translate = useMutation({
    mutationFn: (into: string) => client.practice.translate({ text, language: into }),
  });
  if (offer === undefined || offer.coach === null || language === null) return null;
  if (translate.isSuccess) return <Quiet>{translate.data.text}</Quiet>;
  return (
    <>
      <Button look="quiet" onPress={() => translate.mutate(language)} isDisabled={translate.isPending}>
        {translate.isPending ? 'Translating …' : 'Translate'}
      </Button>
      {translate.isError && <Quiet>{errorSentence(translate.error)}</Quiet>}
    </>
  );
}
