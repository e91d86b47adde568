/** Asks for the name of a new or existing class. */
import { TextField } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { lengthProblem } from '../foundation/screen/length-problem.ts';

const MAX_NAME = 200;

interface ClassNameDialogProps {
  title: string;
  label: string;
  confirmLabel: string;
  /** The current name. */
  before: string;
  run: (name: string) => Promise<unknown>;
  onClose: () => void;
}

export function ClassNameDialog({ label, before, run, ...dialog }: ClassNameDialogProps): ReactElement {
  const [name, setName] = useState(before);
  const trimmed = name.trim();
  const problem = lengthProblem(label, trimmed, MAX_NAME);
  return (
    <ActionDialog {...dialog} isIncomplete={trimmed === ''} problem={problem} run={() => run(trimmed)}>
      <TextField label={label} value={name} onChange={setName} isInvalid={problem !== null} autoFocus />
    </ActionDialog>
  );
}
