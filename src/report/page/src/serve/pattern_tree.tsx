// The tree of metrics, each with a box that chooses the pattern which computes it; and beside it what the metric with
// the cursor means, what it needs, and its parameters.
import { Facts, List, Note } from "../frame/elements";
import { percentText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { TreeView } from "../trees/tree_view";
import { parameterName } from "./analysis_choice";
import type { MetricNodes } from "./metric_nodes";
import type { ServedParameter, ServedPattern } from "./server_types";
import type { ServeStore } from "./serve_store";

interface PatternTreeProps {
  store: ServeStore;
  nodes: MetricNodes;
  /** Opens the dialogue of a pattern's parameters. */
  onConfigure: (pattern: ServedPattern) => void;
}

export function PatternTree({ store, nodes, onConfigure }: PatternTreeProps) {
  const { patterns } = store.choice;
  const { state } = nodes;
  const patternOf = (node: number) => patterns.pattern(nodes.nodes[node]!.pattern ?? "");
  return (
    <TreeView
      store={store}
      state={state}
      id="patterns"
      heading="Wait states and other metrics"
      meaning="ticked metrics are computed; the space bar ticks and unticks"
      valueHeading=""
      isShown={isAlwaysShown}
      boxes={{
        stateOf: (node) => nodes.boxOf(node, patterns),
        toggle: (node) => {
          state.select(node);
          const pattern = patternOf(node);
          const isChosen = nodes.boxOf(node, patterns) !== true;
          toggle(store, nodes, node, isChosen);
          if (isChosen && pattern && pattern.parameters.length > 0) onConfigure(pattern);
        },
      }}
      nameOf={(node) => visible(nodes.nodes[node]!.name)}
      rowOf={(node) => ({
        text: boxText(nodes.boxOf(node, patterns)),
        share: 0,
        title: visible(nodes.nodes[node]!.description),
        source: sourceText(patternOf(node), nodes.nodes[node]!.id),
      })}
    />
  );
}
const isAlwaysShown = () => true;

const boxText = (box: boolean | "mixed"): string => (box === "mixed" ? "partly chosen" : box ? "chosen" : "not chosen");

/** What stands behind the name of a metric. */
function sourceText(pattern: ServedPattern | undefined, id: string): string {
  const texts: string[] = [];
  if (!pattern) return "";
  if (pattern.id !== id) texts.push(`with ${visible(pattern.name)}`);
  else if (pattern.parameters.length > 0) texts.push("has parameters");
  if (pattern.plugin) texts.push("plug-in");
  if (!pattern.on_by_default) texts.push("off by default");
  return texts.join(", ");
}

/** Chooses what the node stands for, or not, and says what came or went with it. */
function toggle(store: ServeStore, nodes: MetricNodes, node: number, isChosen: boolean): void {
  const { patterns } = store.choice;
  const ids = nodes.patternsOf(node);
  const name = visible(nodes.nodes[node]!.name);
  if (ids.length === 0) return store.announce(`${name} is in every analysis`);
  const others = patterns.set(ids, isChosen);
  const othersText =
    others.length === 0
      ? ""
      : isChosen
        ? `; patterns that it needs are chosen too: ${namesOf(store, others)}`
        : `; patterns that need it are removed too: ${namesOf(store, others)}`;
  store.choiceChanged(`${name}: ${isChosen ? "chosen" : "not chosen"}${othersText}`);
}

const namesOf = (store: ServeStore, ids: string[]): string =>
  ids.map((id) => visible(store.choice.patterns.pattern(id)?.name ?? id)).join(", ");

/** What the metric with the cursor means. */
export function MetricDetails({ store, nodes, onConfigure }: PatternTreeProps) {
  const node = nodes.nodes[nodes.state.selected[0] ?? 0];
  if (!node) return <p>There are no metrics.</p>;
  const { patterns } = store.choice;
  const pattern = patterns.pattern(node.pattern ?? "");
  const needs = pattern ? patterns.needsOf(pattern.id) : [];
  const neededBy = pattern ? patterns.neededByOf(pattern.id).filter((id) => patterns.has(id)) : [];
  return (
    <section id="details" aria-label="About this metric">
      <h3>{visible(node.name)}</h3>
      <p>{visible(node.description)}</p>
      <Facts
        facts={[
          ["id", visible(node.id)],
          ["unit", visible(node.unit)],
          ["computed by", pattern ? visible(pattern.name) : "every analysis"],
          ["needs", namesOf(store, needs)],
          ["needed by", namesOf(store, neededBy)],
          ["confidence", confidenceText(pattern)],
        ]}
      />
      {pattern && pattern.parameters.length > 0 && (
        <>
          <List items={pattern.parameters.map((parameter) => parameterText(store, pattern, parameter))} />
          <button id="configure" onClick={() => onConfigure(pattern)}>
            {`Configure ${visible(pattern.name)}\u2026`}
          </button>
        </>
      )}
      {pattern && !patterns.has(pattern.id) && <Note>It is not chosen.</Note>}
    </section>
  );
}

/** How sure it is that its values mean what its definition says; empty if it is quite sure. */
function confidenceText(pattern: ServedPattern | undefined): string {
  const confidence = pattern?.confidence ?? 1;
  return confidence < 1 ? percentText(confidence) : "";
}

function parameterText({ choice }: ServeStore, pattern: ServedPattern, parameter: ServedParameter): string {
  const value = choice.set[parameterName(pattern.id, parameter)] ?? parameter.default;
  return `${visible(parameter.name)} = ${visible(value)} ${visible(parameter.unit)}`.trim();
}
