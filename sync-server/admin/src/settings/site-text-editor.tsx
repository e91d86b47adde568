/** Edits a text of the public site: as a draft, published, or replaced by Parley's text again. */
import { MAX_SITE_TEXT_LENGTHS, type SiteText, type SiteTextChange } from '@parley/contract';
import { t } from '@parley/i18n';
import { Badge, Banner, Button } from '@parley/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { lengthProblem } from '../foundation/screen/length-problem.ts';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { SiteTextField } from './site-text-field.tsx';

interface EditorProps {
  text: SiteText;
  /** Unsaved text. */
  typed: string | undefined;
  onType: (change: (typed: string | undefined) => string | undefined) => void;
}

export function SiteTextEditor({ text, typed, onType }: EditorProps): ReactElement {
  const { name, language, builtIn, draft, published, revision } = text;
  const stored = draft ?? published ?? builtIn;
  const value = typed ?? stored;
  const isChanged = typed !== undefined && typed !== stored;
  const queryClient = useQueryClient();
  const [theirs, setTheirs] = useState<string | null>(null);
  const [isTakingBack, setTakingBack] = useState(false);
  const place = { name, language, revision };

  /** Typing continues during a call, and what was typed after `sent` is kept. */
  const accept = async ({ status, text: current }: SiteTextChange, sent: string | undefined): Promise<void> => {
    queryClient.setQueryData(api.admin.siteText.queryKey({ input: { name, language } }), current);
    if (status === 'changed') {
      onType((now) => (now === sent ? undefined : now));
      setTheirs(null);
    } else {
      onType((now) => now ?? value);
      setTheirs(current.draft ?? current.published ?? current.builtIn);
    }
    await queryClient.invalidateQueries({ queryKey: api.admin.siteTexts.key() });
  };
  const action = useMutation({
    mutationFn: async ({ change, done }: { change: () => Promise<SiteTextChange>; done: string }) => {
      const result = await change();
      await accept(result, typed);
      return result.status === 'changed' ? done : null;
    },
  });
  const save = (publishes: boolean): void =>
    action.mutate({
      change: () => client.admin.saveSiteText({ ...place, text: value, publishes }),
      done: publishes
        ? t('Published. Readers see it within a minute.')
        : t('Saved. Readers see it when you publish it.'),
    });
  const isEmpty = value.trim() === '';
  const problem = lengthProblem(t('Text'), value.trim(), MAX_SITE_TEXT_LENGTHS[name]);
  const isRefused = isEmpty || problem !== null;
  return (
    <section className={table['section']}>
      <p>
        <Badge>{stateOf(text)}</Badge>
        {isChanged && ` · ${t('not saved yet')}`}
      </p>
      {theirs !== null && (
        <Banner tone="warn">
          <p>{t('Another admin has saved this text in the meantime. This is theirs; yours is still in the field.')}</p>
          <pre className={table['pre']}>{theirs}</pre>
        </Banner>
      )}
      <SiteTextField
        name={name}
        language={language}
        value={value}
        onChange={(next) => {
          action.reset();
          onType(() => next);
        }}
      />
      {isEmpty && <p className={table['small']}>{t('Write a text, or use Parley’s text again.')}</p>}
      {problem !== null && <p role="alert">{problem}</p>}
      <div role="status">{action.data}</div>
      {action.isError && <ErrorBanner error={action.error} />}
      <div className={table['buttons']}>
        <Button
          variant="primary"
          onPress={() => save(true)}
          isDisabled={action.isPending || isRefused || value.trim() === published}
        >
          {t('Publish')}
        </Button>
        <Button onPress={() => save(false)} isDisabled={action.isPending || isRefused || !isChanged}>
          {t('Save draft')}
        </Button>
        {draft !== null && published !== null && !isChanged && (
          <Button
            onPress={() =>
              action.mutate({
                change: () => client.admin.takeBackSiteText({ ...place, to: 'published' }),
                done: t('Draft discarded.'),
              })
            }
            isDisabled={action.isPending}
          >
            {t('Discard changes')}
          </Button>
        )}
        {(draft !== null || published !== null) && (
          <Button onPress={() => setTakingBack(true)} isDisabled={action.isPending}>
            {t('Use Parley’s text again')}
          </Button>
        )}
      </div>
      {isTakingBack && (
        <ActionDialog
          title={t('Use Parley’s text again?')}
          confirmLabel={t('Use Parley’s text')}
          isDanger
          run={() =>
            action.mutateAsync({
              change: () => client.admin.takeBackSiteText({ ...place, to: 'built_in' }),
              done: t('Parley’s text is used again.'),
            })
          }
          onClose={() => setTakingBack(false)}
        >
          <p>
            {t('Your text in this language and its draft will be deleted. Copy it first if you might need it again.')}
          </p>
        </ActionDialog>
      )}
    </section>
  );
}

function stateOf({ draft, published }: SiteText): string {
  if (published !== null) return draft === null ? t('Published') : t('Published, with changes');
  return draft === null ? t('Parley’s text') : t('Draft');
}
