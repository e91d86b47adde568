/** The dialogue as a graph, with the selected step next to it. */
import { t } from '@parley/i18n';
import '@xyflow/react/dist/style.css';
import { type PracticeScript, PRACTICE_DIFFICULTIES, type PracticeDifficulty, type ScriptNode } from '@parley/domain';
import { Button, SegmentedControl } from '@parley/ui';
import { Background, Controls, type Edge, Handle, type Node, type NodeProps, Position, ReactFlow } from '@xyflow/react';
import { type ReactElement, useMemo, useState } from 'react';
import { Choice, findingsAt } from '../fields.tsx';
import type { FormProps } from '../forms/form-props.ts';
import { replaceStep } from './replace-step.ts';
import { StepForm } from './step-form.tsx';
import css from '../content.module.css';

export const DIFFICULTY_NAMES: Readonly<Record<PracticeDifficulty, string>> = {
  easy: t('Easy'),
  intermediate: t('Medium'),
  hard: t('Hard'),
};
const EMPTY_SCRIPT: PracticeScript = { start: 'opening', topic: [], facts: [], nodes: [] };
const MAX_STEPS = 60;
const COLUMN = 260;
const ROW = 130;

type StepNode = Node<{ step: ScriptNode; line: string; isSelected: boolean; isWrong: boolean }, 'step'>;

export interface DialogueTabProps extends FormProps<'practice'> {
  /** The key of the step that is shown first; by default, the opening. */
  firstStep?: string | undefined;
}

export function DialogueTab(props: DialogueTabProps): ReactElement {
  const { document, findings, onChange } = props;
  const script = document.script ?? EMPTY_SCRIPT;
  // The step is selected by index, because names change and two steps of an older draft may share one.
  const [selected, setSelected] = useState(() =>
    indexOfStart({ ...script, start: firstStepOf(script, props.firstStep) }),
  );
  const [difficulty, setDifficulty] = useState<PracticeDifficulty>('intermediate');
  const setScript = (change: Partial<PracticeScript>): void =>
    onChange({ ...document, script: { ...script, ...change } });
  const index = Math.min(selected, script.nodes.length - 1);
  const step = script.nodes[index];
  const places = useMemo(() => layOut(script), [script]);

  const nodes: StepNode[] = script.nodes.map((each, at) => ({
    id: `${at}`,
    type: 'step',
    position: places[at] ?? { x: 0, y: 0 },
    data: {
      step: each,
      line: each.say[difficulty],
      isSelected: at === index,
      isWrong: findingsAt(findings, ['script', 'nodes', at], true).some(({ severity }) => severity === 'error'),
    },
  }));
  const edges: Edge[] = script.nodes.flatMap((each, at) =>
    [...new Set(targetsOf(each, difficulty))].flatMap((target) => {
      const to = script.nodes.findIndex(({ key }) => key === target);
      return to === -1 ? [] : [{ id: `${at}-${to}`, source: `${at}`, target: `${to}` }];
    }),
  );
  const addStep = (): void => {
    const taken = new Set(script.nodes.map(({ key }) => key));
    let number = script.nodes.length + 1;
    while (taken.has(`step-${number}`)) number += 1;
    const key = script.nodes.length === 0 ? 'opening' : `step-${number}`;
    const say = { easy: '', intermediate: '', hard: '' };
    const added = {
      key,
      say,
      rephrase: [],
      replies: [],
      isEnd: false,
      learns: null,
      onKnown: null,
      understanding: null,
    };
    setScript({ nodes: [...script.nodes, added], ...(script.nodes.length === 0 && { start: key }) });
    setSelected(script.nodes.length);
  };
  return (
    <div className={css['form']} data-wide>
      <div className={css['buttons']}>
        <SegmentedControl
          label={t('Level')}
          hideLabel
          options={PRACTICE_DIFFICULTIES.map((value) => ({ value, label: DIFFICULTY_NAMES[value] }))}
          value={difficulty}
          onChange={setDifficulty}
        />
        <Button onPress={addStep} isDisabled={script.nodes.length >= MAX_STEPS}>
          {t('Add a step')}
        </Button>
      </div>
      <div className={css['dialogue']}>
        {/* The graph grows to the right in every language, because its handles are left and right. */}
        <div className={css['graph']} role="group" aria-label={t('The dialogue as a graph')} dir="ltr">
          <ReactFlow
            nodes={nodes}
            edges={edges}
            nodeTypes={NODE_TYPES}
            onNodeClick={(_, { id }) => setSelected(Number(id))}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            fitView
            colorMode="system"
            proOptions={{ hideAttribution: true }}
          >
            <Background />
            <Controls showInteractive={false} />
          </ReactFlow>
        </div>
        <div className={css['part']}>
          {script.nodes.length === 0 ? (
            <p>{t('There are no steps yet. Add one: it’s the coach’s first line.')}</p>
          ) : (
            <Choice
              label={t('Step')}
              value={`${index}`}
              options={script.nodes.map(({ key }, at) => ({ value: `${at}`, label: key }))}
              onChange={(at) => setSelected(Number(at))}
            />
          )}
          {step !== undefined && (
            <StepForm
              key={index}
              step={step}
              index={index}
              steps={script.nodes.map(({ key }) => key)}
              objectives={document.objectives.map(({ key }) => key)}
              difficulty={difficulty}
              isStart={script.start === step.key}
              findings={findings
                .filter(({ path }) => path[0] === 'script' && path[1] === 'nodes' && path[2] === index)
                .map((finding) => ({ ...finding, path: finding.path.slice(3) }))}
              onChange={(next) => setScript(replaceStep(script, index, next))}
              onRemove={() => {
                const nodes = script.nodes.filter((_, at) => at !== index);
                setScript({ nodes });
                setSelected(indexOfStart({ ...script, nodes }));
              }}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** A step may have been renamed since it was reported. */
const firstStepOf = ({ nodes, start }: PracticeScript, wanted: string | undefined): string =>
  nodes.find(({ key }) => key === wanted)?.key ?? start;

const indexOfStart = ({ nodes, start }: PracticeScript): number =>
  Math.max(
    0,
    nodes.findIndex(({ key }) => key === start),
  );

const NODE_TYPES = { step: StepBox };

function StepBox({ data: { step, line, isSelected, isWrong } }: NodeProps<StepNode>): ReactElement {
  return (
    <div className={css['node']} data-selected={isSelected} data-wrong={isWrong}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <b>
        {step.key}
        {step.isEnd && ` · ${t('ending')}`}
        {isWrong && ` · ${t('to correct')}`}
      </b>
      <span dir="auto">{line}</span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}

const targetsOf = ({ isEnd, replies, understanding }: ScriptNode, difficulty: PracticeDifficulty): string[] =>
  isEnd
    ? []
    : [
        ...replies.map(({ to }) => to[difficulty]),
        ...(understanding === null
          ? []
          : [...understanding.intents.map(({ to }) => to[difficulty]), understanding.bridge[difficulty]]),
      ];

/** Puts each step into the column of its distance from the start. */
function layOut({ nodes, start }: PracticeScript): { x: number; y: number }[] {
  const depth = new Map<string, number>([[start, 0]]);
  for (const [key, at] of depth) {
    const node = nodes.find((each) => each.key === key);
    if (node === undefined) continue;
    for (const target of PRACTICE_DIFFICULTIES.flatMap((difficulty) => targetsOf(node, difficulty)))
      if (!depth.has(target)) depth.set(target, at + 1);
  }
  const rows = new Map<number, number>();
  return nodes.map(({ key }) => {
    const column = depth.get(key) ?? Math.max(...depth.values()) + 1;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    return { x: column * COLUMN, y: row * ROW };
  });
}
