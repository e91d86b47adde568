/** What becomes of the work on this computer when Parley speaks to another server: said before, not found out afterwards. */
import { Address, Button, Dialog, Quiet, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { heldBy } from '../account/index.ts';
import { forgetFormerAccount } from '../app/forget-former-account.ts';
import { useHost } from '../app/host-context.tsx';
import { FailureBanner } from '../app/screen.tsx';

export interface ChangeServerProps {
  from: string | null;
  /** Null: to none. Undefined: nothing is to be changed. */
  to: string | null | undefined;
  onClose: () => void;
  onChanged: () => void;
}

const nameOf = (url: string): string => new URL(url).host;

export function ChangeServerDialog({ from, to, onClose, onChanged }: ChangeServerProps): ReactElement {
  const { client } = useHost();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (url: string | null) => client.server.change({ url }),
    onSuccess: async () => {
      await forgetFormerAccount(cache);
      onChanged();
    },
  });
  const close = (): void => {
    change.reset();
    onClose();
  };
  const title = to === null || to === undefined ? 'Use no server?' : `Use ${nameOf(to)}?`;
  return (
    <Dialog title={title} isOpen={to !== undefined} onClose={close}>
      {to !== undefined && <Consequences from={from} to={to} />}
      {change.isError && <FailureBanner error={change.error} />}
      <Row>
        <Button
          look="primary"
          onPress={() => to !== undefined && change.mutate(to)}
          isDisabled={to === undefined || change.isPending}
        >
          {change.isPending ? 'Changing …' : to === null ? 'Use no server' : 'Use this server'}
        </Button>
        <Button look="quiet" onPress={close} isDisabled={change.isPending}>
          {from === null ? 'Not now' : `Stay with ${nameOf(from)}`}
        </Button>
      </Row>
    </Dialog>
  );
}

function Consequences({ from, to }: { from: string | null; to: string | null }): ReactElement {
  const { queries } = useHost();
  const account = useQuery(queries.account.state.queryOptions()).data;
  const waiting = useQuery(queries.sync.status.queryOptions({ staleTime: 0 })).data?.waiting ?? 0;
  const held = account === undefined ? null : heldBy(account.known);
  if (held !== null && from !== null) return <AccountStays email={held} from={from} to={to} waiting={waiting} />;
  if (to === null)
    return <Quiet>Nothing more is sent. Your work stays on this computer, and you can choose a server again.</Quiet>;
  return (
    <>
      <Quiet>
        {from === null
          ? `Parley will send ${nameOf(to)} what you have done on this computer, and what you do from now on.`
          : `${nameOf(to)} is another server. You have no account with an address, so what you have done on this computer is sent there too.`}{' '}
        Recordings of guided practices and drills stay here.
      </Quiet>
      {from !== null && <Quiet>{nameOf(from)} keeps what it has already.</Quiet>}
    </>
  );
}

function AccountStays(props: { email: string; from: string; to: string | null; waiting: number }): ReactElement {
  const { email, from, to, waiting } = props;
  return (
    <>
      <Quiet>
        {to !== null && `${nameOf(to)} has accounts of its own. `}
        The account of <Address>{email}</Address> stays with {nameOf(from)}, and your history with it: it shows here
        again when you come back to {nameOf(from)} and sign in.
      </Quiet>
      {waiting > 0 && (
        <Quiet>
          {waiting === 1 ? 'One change was' : `${waiting} changes were`} not sent yet. Parley tries once more now; what
          does not get through waits on this computer, and is sent when you are back.
        </Quiet>
      )}
      <Quiet>
        {to === null
          ? 'Here you begin with an empty history. Nothing is lost.'
          : `With ${nameOf(to)} you begin with an empty history, or sign in to an account that you have there. Nothing is lost.`}
      </Quiet>
    </>
  );
}
