/** Which server this Parley speaks to: typed here, asked who it is, and changed only when the learner knows what that means. */
import type { ServerChoice } from '@parley/contract';
import { Address, Banner, Button, Card, Quiet, Row, TextField } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../app/host-context.tsx';
import { Answered, FailureBanner } from '../app/screen.tsx';
import { idOfPart } from '../app/show-settings-part.ts';
import { ChangeServerDialog } from './change-server-dialog.tsx';
import { useShownPart } from './use-shown-part.ts';

export function ServerCard(): ReactElement {
  const { queries } = useHost();
  const choice = useQuery(queries.server.read.queryOptions());
  useShownPart('server', choice.data !== undefined);
  return (
    <Card>
      <h2 id={idOfPart('server')} tabIndex={-1}>
        Server
      </h2>
      <Answered query={choice} waiting="Loading the server">
        {(now) => (
          <>
            <Now choice={now} />
            {now.from !== 'environment' && <Change choice={now} />}
          </>
        )}
      </Answered>
    </Card>
  );
}

const WHY: Record<Exclude<ServerChoice['from'], null>, string> = {
  environment: 'Parley was started with this server, so it cannot be changed here.',
  build: 'Parley came with this server.',
  setting: 'You chose this server.',
};

function Now({ choice: { url, from } }: { choice: ServerChoice }): ReactElement {
  if (url === null)
    return (
      <Quiet>
        None: everything stays on this computer. A server keeps your work on all your computers, and may offer live
        coaches. Your school or company can tell you its address.
      </Quiet>
    );
  return (
    <div>
      <p>
        <Address>{url}</Address>
      </p>
      {from !== null && <Quiet small>{WHY[from]}</Quiet>}
    </div>
  );
}

function Change({ choice }: { choice: ServerChoice }): ReactElement {
  const { client } = useHost();
  const [typed, setTyped] = useState('');
  /** Undefined: nothing is to be confirmed. */
  const [to, setTo] = useState<string | null | undefined>(undefined);
  const [isSame, setSame] = useState(false);
  const check = useMutation({
    mutationFn: (url: string) => client.server.check({ url }),
    onSuccess: ({ url }) => {
      setSame(url === choice.url);
      if (url !== choice.url) setTo(url);
    },
  });
  const submit = (): void => {
    setSame(false);
    if (typed.trim() !== '') check.mutate(typed);
  };
  return (
    <>
      <TextField
        label={choice.url === null ? 'Address of the server' : 'Address of another server'}
        placeholder="parley.example"
        value={typed}
        onChange={setTyped}
        onSubmit={submit}
        isInvalid={check.isError}
        maxLength={400}
      />
      {check.isError && <FailureBanner error={check.error} />}
      {isSame && <Banner>This is the server that Parley speaks to already.</Banner>}
      <Row>
        <Button onPress={submit} isDisabled={typed.trim() === '' || check.isPending}>
          {check.isPending ? 'Asking the server …' : 'Use this server …'}
        </Button>
        {choice.url !== null && (
          <Button look="quiet" onPress={() => setTo(null)}>
            Use no server
          </Button>
        )}
      </Row>
      <ChangeServerDialog
        from={choice.url}
        to={to}
        onClose={() => setTo(undefined)}
        onChanged={() => {
          setTo(undefined);
          setTyped('');
        }}
      />
    </>
  );
}
