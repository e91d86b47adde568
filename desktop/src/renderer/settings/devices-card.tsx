/** The same work on another computer: link codes, the state of syncing, and what the server refused. */
import { LinkCode } from '@parley/contract';
import { Banner, Button, Card, Dialog, Quiet, Row, TextField } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { heldBy, WhatComesAlong } from '../account/index.ts';
import { forgetFormerAccount } from '../app/forget-former-account.ts';
import { useHost } from '../app/host-context.tsx';
import { NoServer } from '../app/no-server.tsx';
import { FailureBanner } from '../app/screen.tsx';
import { syncSentence } from '../app/status-dot.tsx';
import { DeviceList } from './device-list.tsx';
import { RejectedChanges } from './rejected-changes.tsx';
import css from './settings.module.css';

export function DevicesCard(): ReactElement {
  const { queries } = useHost();
  const hasServer = useQuery(queries.sync.status.queryOptions()).data?.state !== 'no_server';
  return (
    <Card>
      <h2>Your devices</h2>
      {hasServer ? (
        <Linked />
      ) : (
        <>
          <NoServer>Your other computers can show the same history once Parley has a server.</NoServer>
          <RejectedChanges />
        </>
      )}
    </Card>
  );
}

function Linked(): ReactElement {
  const { queries } = useHost();
  const cache = useQueryClient();
  const [isJoining, setJoining] = useState(false);
  const status = useQuery(queries.sync.status.queryOptions());
  const run = useMutation(
    queries.sync.run.mutationOptions({ onSuccess: (now) => cache.setQueryData(queries.sync.status.queryKey(), now) }),
  );
  const code = useMutation(queries.account.createLinkCode.mutationOptions());
  return (
    <>
      <Quiet>Practise here, go on there: link another computer, and both show the same history.</Quiet>
      {status.data !== undefined && (
        <Row spread>
          <span>
            {syncSentence(status.data)}
            {status.data.lastSyncedAt !== null && (
              <Quiet small>
                Last synced{' '}
                {status.data.lastSyncedAt.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}
              </Quiet>
            )}
          </span>
          <Button onPress={() => run.mutate(undefined)} isDisabled={run.isPending}>
            Sync now
          </Button>
        </Row>
      )}
      {status.data !== undefined && status.data.unread > 0 && (
        <Quiet small>
          {status.data.unread === 1 ? 'One item was' : `${status.data.unread} items were`} saved by a newer version of
          Parley. {status.data.unread === 1 ? 'It is kept, and appears' : 'They are kept, and appear'} here once you
          update.
        </Quiet>
      )}
      <RejectedChanges />
      <DeviceList />
      {run.isError && <FailureBanner error={run.error} />}
      <Row>
        <Button icon="link" onPress={() => code.mutate(undefined)} isDisabled={code.isPending}>
          Link another device
        </Button>
        <Button look="quiet" onPress={() => setJoining(true)}>
          I have a code
        </Button>
      </Row>
      {code.isError && <FailureBanner error={code.error} />}
      {code.data !== undefined && (
        <Banner>
          <p className={css['code']}>{code.data.code}</p>
          <Quiet small>
            On the other device open Settings, press “I have a code” and type this. It works once, until{' '}
            {code.data.expiresAt.toLocaleTimeString('en-GB', { timeStyle: 'short' })}.
          </Quiet>
        </Banner>
      )}
      <JoinDialog isOpen={isJoining} onClose={() => setJoining(false)} />
    </>
  );
}

/** What was typed, as a code: upper case, with its dash. */
export function readLinkCode(typed: string): string | null {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const code = LinkCode.safeParse(`${letters.slice(0, 4)}-${letters.slice(4)}`);
  return code.success ? code.data : null;
}

function JoinDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const { queries } = useHost();
  const cache = useQueryClient();
  const account = useQuery(queries.account.state.queryOptions()).data;
  const [typed, setTyped] = useState('');
  const code = readLinkCode(typed);
  const join = useMutation(
    queries.account.join.mutationOptions({
      onSuccess: async () => {
        await forgetFormerAccount(cache);
        onClose();
      },
    }),
  );
  const submit = (): void => {
    if (code !== null) join.mutate({ code });
  };
  return (
    <Dialog title="Join with a code" isOpen={isOpen} onClose={onClose}>
      <Quiet>This computer will be in the account of the other one, and show the same history.</Quiet>
      {account !== undefined && <WhatComesAlong held={heldBy(account.known)} to={null} />}
      <TextField
        label="Code from the other device"
        placeholder="ABCD-2345"
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        autoFocus
        maxLength={12}
      />
      {join.isError && <FailureBanner error={join.error} />}
      <Row>
        <Button look="primary" onPress={submit} isDisabled={code === null || join.isPending}>
          Join
        </Button>
        <Button look="quiet" onPress={onClose}>
          Not now
        </Button>
      </Row>
    </Dialog>
  );
}
