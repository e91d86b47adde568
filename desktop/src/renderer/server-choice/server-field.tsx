/** Takes the address of a server, or a link from a school, and checks it before anything changes. */
import { t } from '@parley/i18n';
import type { CheckedServer } from '@parley/contract';
import { Banner, Button, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { ChangeServerDialog, type NextServer } from './change-server-dialog.tsx';

export interface ServerFieldProps {
  label: string;
  /** The field's initial value, for example from a link. */
  suggestion?: string;
  onChanged?: () => void;
}

export function ServerField({ label, suggestion = '', onChanged }: ServerFieldProps): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState(suggestion);
  const [next, setNext] = useState<NextServer | null>(null);
  const [isUnchanged, setUnchanged] = useState(false);
  const consider = ({ url, relation, serverId }: CheckedServer): void => {
    setUnchanged(relation === 'open');
    setNext(relation === 'open' ? null : { url, relation, serverId });
  };
  const check = useMutation({
    mutationFn: (url: string) => client.server.check({ url }),
    onSuccess: consider,
  });
  const submit = (): void => {
    setUnchanged(false);
    if (typed.trim() !== '') check.mutate(typed);
  };
  return (
    <>
      <TextField
        label={label}
        description={t('Your school or company gives you an address, or a link that begins with parley://.')}
        placeholder={t('parley.example')}
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        isInvalid={check.isError}
        maxLength={600}
      />
      {check.isError && <ErrorBanner error={check.error} />}
      {isUnchanged && <Banner>{t('Parley already uses this server.')}</Banner>}
      <Row>
        <Button onPress={submit} isDisabled={typed.trim() === '' || check.isPending}>
          {check.isPending ? t('Checking the server…') : t('Use this server…')}
        </Button>
      </Row>
      <ChangeServerDialog
        to={next}
        onClose={() => setNext(null)}
        onAnswerChanged={consider}
        onChanged={() => {
          setNext(null);
          setTyped('');
          onChanged?.();
        }}
      />
    </>
  );
}
