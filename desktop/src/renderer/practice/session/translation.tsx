/** Translates a coach's turn when a model coach is available and the learner has chosen a language. */
import { t } from '@parley/i18n';
import { Button, MutedText } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { errorSentence } from '../../foundation/sentences/error-sentence.ts';
import { translationTag } from '../../foundation/language/translation-languages.ts';
import { useHost } from '../../foundation/host/host-context.tsx';

export function Translation({ text }: { text: string }): ReactElement | null {
  const { client, queries } = useHost();
  const offer = useQuery(queries.coach.offer.queryOptions()).data;
  const language = useQuery(queries.settings.read.queryOptions()).data?.device.ownLanguage ?? null;
  const translate = useMutation({
    mutationFn: (into: string) => client.practice.translate({ text, language: into }),
  });
  if (offer === undefined || offer.coach === null || language === null) return null;
  if (translate.isSuccess)
    return (
      <MutedText>
        <span lang={translationTag(translate.variables)} dir="auto">
          {translate.data.text}
        </span>
      </MutedText>
    );
  return (
    <>
      <Button variant="quiet" onPress={() => translate.mutate(language)} isDisabled={translate.isPending}>
        {translate.isPending ? t('Translating…') : t('Translate')}
      </Button>
      {translate.isError && <MutedText>{errorSentence(translate.error)}</MutedText>}
    </>
  );
}
