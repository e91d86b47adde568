/** The whole practice as text. */
import { t } from '@parley/i18n';
import { explanationText, type PracticeDocument } from '@parley/domain';
import { Banner, Button } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../foundation/api/client.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { Text } from '../fields.tsx';
import type { FormProps } from '../forms/form-props.ts';
import css from '../content.module.css';

const MAX_TEXT = 900_000;

/** The typed text that is not yet part of the draft. */
export interface TypedText {
  /** Null when the text is that of the draft. */
  text: string | null;
  /** Whether the draft has changed since the text was begun. */
  isOutdated: boolean;
  onType: (text: string | null) => void;
  /** The draft is now `document`, which was parsed from `written`; more may have been typed since. */
  onTakenOver: (written: string, document: PracticeDocument) => void;
}

interface TextTabProps extends FormProps<'practice'> {
  typed: TypedText;
}

export function TextTab({ id, document, onChange, typed }: TextTabProps): ReactElement {
  const queryClient = useQueryClient();
  const queryKey = ['practice-text', id];
  const write = useQuery({
    queryKey,
    queryFn: () => client.content.toText({ id, document }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const text = typed.text ?? write.data?.text ?? null;
  const read = useMutation({
    mutationFn: (written: string) => client.content.fromText({ id, document, text: written }),
    onSuccess: (result, written) => {
      if (result.document === null) return;
      onChange(result.document);
      queryClient.setQueryData(queryKey, { text: written });
      typed.onTakenOver(written, result.document);
    },
  });
  const error = write.error ?? read.error;
  const problems = read.data?.problems ?? [];
  return (
    <div className={css['form']}>
      {error !== null && <ErrorBanner error={error} />}
      {problems.length > 0 && (
        <Banner tone="error">
          <ul className={css['changes']}>
            {problems.map(({ line, ...explanation }, index) => (
              <li key={index}>
                {line === null
                  ? explanationText(explanation, t)
                  : t('Line {line}: {message}', { line, message: explanationText(explanation, t) })}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {typed.isOutdated && (
        <Banner tone="warn">
          {t(
            'The briefing or the dialogue has changed since you started typing here. “Apply” replaces those changes with this text.',
          )}
        </Banner>
      )}
      {text !== null && (
        <>
          <Text
            label={t('The practice as text')}
            description={t('YAML. Choose “Apply” to put what you type here into the draft.')}
            value={text}
            maxLength={MAX_TEXT}
            rows={28}
            isCode
            onChange={typed.onType}
          />
          <div className={css['buttons']}>
            <Button
              variant="primary"
              onPress={() => read.mutate(text)}
              isDisabled={read.isPending || text.length > MAX_TEXT}
            >
              {t('Apply')}
            </Button>
            <Button
              onPress={() => {
                typed.onType(null);
                void write.refetch();
              }}
            >
              {t('Start again from the draft')}
            </Button>
            <span role="status">
              {read.isSuccess && problems.length === 0 ? t('Applied. Save the draft to keep it.') : ''}
            </span>
          </div>
        </>
      )}
    </div>
  );
}
