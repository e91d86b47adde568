/** Takes the learner's own text to say, and refuses one that could not be scored before it is said. */
import { t } from '@parley/i18n';
import { MAX_DRILL_CHARACTERS } from '@parley/contract';
import { Button, Card, Row, TextField } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../host/host-context.tsx';
import { ErrorBanner } from './screen.tsx';

interface OwnTextProps {
  description: string;
  startLabel: string;
  onStart: (text: string) => void;
}

export function OwnText({ description, startLabel, onStart }: OwnTextProps): ReactElement {
  const { client } = useHost();
  const [text, setText] = useState('');
  const check = useMutation({
    mutationFn: (checked: string) => client.drill.check({ text: checked }),
    onSuccess: (_ok, checked) => onStart(checked),
  });
  const isEmpty = text.trim() === '';
  const start = (): void => {
    if (!isEmpty && !check.isPending) check.mutate(text.trim().replaceAll(/\s+/g, ' '));
  };
  return (
    <Card>
      <TextField
        label={t('What do you want to say?')}
        description={description}
        value={text}
        onChange={(changed) => {
          setText(changed);
          check.reset();
        }}
        onSubmit={start}
        isInvalid={check.isError}
        maxLength={MAX_DRILL_CHARACTERS}
        isMultiline
      />
      {check.isError && <ErrorBanner error={check.error} />}
      <Row>
        <Button variant="primary" onPress={start} isDisabled={isEmpty || check.isPending}>
          {startLabel}
        </Button>
      </Row>
    </Card>
  );
}
