/** Sets up an authenticator app, and enters its code. */
import { t } from '@parley/i18n';
import { Button, Trans } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { toString } from 'qrcode';
import { type ReactElement, useState } from 'react';
import { api, client } from '../api/client.ts';
import { errorSentence } from '../api/error-sentence.ts';
import { ErrorBanner, QueryView } from '../screen/screen.tsx';
import { CodeField } from './code-field.tsx';
import css from './action-dialog.module.css';

export function SetUpSecondFactor({ onDone }: { onDone: () => void }): ReactElement {
  // A query, because the secret must be created as soon as this is shown, and only once.
  const setUp = useQuery({
    ...api.admin.setUpSecondFactor.queryOptions({ input: {} }),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (setUp.isError) return <ErrorBanner error={setUp.error} onRetry={() => void setUp.refetch()} />;
  return (
    <QueryView query={setUp}>
      {({ secret, address }) => (
        <>
          <ol>
            <li>
              {t('1. Open your authenticator app, add an account and scan this code.')}
              <QrCode text={address} />
            </li>
            <li>
              <Trans
                id="If you can’t scan it, type this key: <0>{key}</0>. On a phone, you can <1>open the app</1> instead."
                values={{ key: secret.match(/.{1,4}/g)?.join(' ') }}
                components={{ 0: <strong translate="no" />, 1: <a href={address} /> }}
              />
            </li>
            <li>{t('2. Type the six digits that the app shows.')}</li>
          </ol>
          <CodeForm
            label={t('Code from the app')}
            submitLabel={t('Confirm')}
            run={(code) => client.admin.confirmSecondFactor({ code })}
            onDone={onDone}
          />
        </>
      )}
    </QueryView>
  );
}

/** The QR code is drawn in the browser, because the key must not leave it. */
function QrCode({ text }: { text: string }): ReactElement | null {
  const drawing = useQuery({
    queryKey: ['qr-code', text],
    queryFn: () => toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 }),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (drawing.data === undefined) return null;
  const address = `data:image/svg+xml,${encodeURIComponent(drawing.data)}`;
  return (
    <img className={css['code']} src={address} alt={t('QR code for your authenticator app')} width={200} height={200} />
  );
}

export const EnterSecondFactor = ({
  onDone,
  onCancel,
}: {
  onDone: () => void;
  onCancel?: () => void;
}): ReactElement => (
  <>
    <p>{t('Type the six digits that your authenticator app shows for Parley.')}</p>
    <CodeForm
      label={t('Code from the app')}
      submitLabel={t('Continue')}
      run={(code) => client.admin.enterSecondFactor({ code })}
      onDone={onDone}
      {...(onCancel === undefined ? {} : { onCancel })}
    />
  </>
);

interface CodeFormProps {
  label: string;
  submitLabel: string;
  run: (code: string) => Promise<unknown>;
  onDone: () => void;
  onCancel?: () => void;
}

function CodeForm({ label, submitLabel, run, onDone, onCancel }: CodeFormProps): ReactElement {
  const [code, setCode] = useState('');
  const enter = useMutation({ mutationFn: () => run(code.replaceAll(/\s/g, '')), onSuccess: onDone });
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        enter.mutate();
      }}
    >
      <CodeField label={label} value={code} onChange={setCode} />
      {enter.isError && <p role="alert">{errorSentence(enter.error)}</p>}
      <div className={css['buttons']}>
        <Button type="submit" variant="primary" isDisabled={enter.isPending}>
          {submitLabel}
        </Button>
        {onCancel !== undefined && <Button onPress={onCancel}>{t('Cancel')}</Button>}
      </div>
    </form>
  );
}
