/** Creates the secret link to a post that is not published yet. */
import { t } from '@parley/i18n';
import { Banner, Button, Dialog } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { client } from '../../foundation/api/client.ts';
import { formatDay } from '../../foundation/screen/format.ts';
import { ErrorBanner } from '../../foundation/screen/screen.tsx';
import { Field } from '../fields.tsx';
import css from '../content.module.css';

export function PreviewDialog({ id, onClose }: { id: string; onClose: () => void }): ReactElement {
  const link = useMutation({ mutationFn: () => client.content.previewLink({ id }) });
  const copy = useMutation({ mutationFn: (url: string) => navigator.clipboard.writeText(url) });
  return (
    <Dialog title={t('Preview link')} isOpen onClose={onClose}>
      <p>
        {t(
          'Anyone with the link can read this draft, for a week or until you publish it. A new link replaces the one before.',
        )}
      </p>
      {link.isError && <ErrorBanner error={link.error} />}
      {link.data !== undefined && (
        <Field label={t('Link')} description={t('It works until {day}.', { day: formatDay(link.data.expiresAt) })}>
          {(props) => <input {...props} readOnly value={link.data.url} onFocus={({ target }) => target.select()} />}
        </Field>
      )}
      {copy.isError && (
        <Banner tone="error">{t('It couldn’t be copied. Select the text and copy it yourself.')}</Banner>
      )}
      <p role="status">{copy.isSuccess && t('Copied.')}</p>
      <div className={css['buttons']}>
        {link.data === undefined ? (
          <Button variant="primary" onPress={() => link.mutate()} isDisabled={link.isPending}>
            {t('Create a link')}
          </Button>
        ) : (
          <Button variant="primary" onPress={() => copy.mutate(link.data.url)}>
            {t('Copy it')}
          </Button>
        )}
        <Button onPress={onClose}>{t('Close')}</Button>
      </div>
    </Dialog>
  );
}
