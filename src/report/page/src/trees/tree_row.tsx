// A row of a tree. It is drawn again only if what it shows has changed; its list handles what is done to it.
import { Component } from "preact";
import { severityColour, textColourOn } from "../charts/colours";

export interface TreeRow {
  text: string; // the value, as a reader sees it
  share: number; // from 0 to 1: the length of the bar, and its colour if there is no other one
  colour?: string;
  isPart?: boolean; // a part of the value of the row above it
  source?: string; // behind the name: file and line
  moreColumns?: string[]; // dimmer texts beside the value
  unit?: string; // behind the name
  note?: string; // before the name
  title?: string; // is shown when the pointer is on the row
}

/** Everything here is a value, so that two of them show the same if they are written the same. */
interface TreeRowProps {
  id: string;
  row: TreeRow;
  name: string;
  depth: number;
  top: number; // pixels from the top of the list
  isOpen: boolean | undefined; // undefined: there is nothing below it
  isSelected: boolean;
  hasCursor: boolean;
  isFound: boolean; // by the search
  box: boolean | "mixed" | undefined; // is shown instead of the value
}

const deepestIndent = 40;

/** The node of the row in which something happens; undefined if that is beside the rows. */
export function nodeOfRow({ target }: Event): number | undefined {
  const row = (target as Element).closest(".row");
  return row ? Number(row.id.slice(row.id.lastIndexOf("-") + 1)) : undefined;
}

/** Zero is paper; a part of the value of the row above has only an edge of its colour, since it is counted there. */
function boxStyle(colour: string, share: number, isPart: boolean) {
  if (share === 0) return {};
  return isPart ? { boxShadow: `inset 6px 0 ${colour}` } : { background: colour, color: textColourOn(colour) };
}

export class TreeRowView extends Component<TreeRowProps> {
  override shouldComponentUpdate(next: TreeRowProps) {
    return JSON.stringify(next) !== JSON.stringify(this.props);
  }
  render({ id, row, name, depth, top, isOpen, isSelected, hasCursor, isFound, box }: TreeRowProps) {
    const { text, share, colour = severityColour(share), isPart = false, source, moreColumns, unit, note, title } = row;
    return (
      <div
        id={id}
        class={`row${isSelected ? " chosen" : ""}${hasCursor ? " cursor" : ""}${isFound ? " hit" : ""}`}
        role="treeitem"
        aria-level={depth + 1}
        aria-selected={isSelected}
        aria-checked={box}
        aria-expanded={isOpen}
        title={title}
        style={{ top: `${top}px` }}
      >
        {box === undefined && (
          <>
            <span class="box value" style={boxStyle(colour, share, isPart)}>
              {text}
            </span>
            <span class="bar">
              {share > 0 && <span style={{ width: `${100 * Math.min(1, share)}%`, background: colour }} />}
            </span>
          </>
        )}
        {moreColumns?.map((more) => (
          <span class="second">{more}</span>
        ))}
        <span
          class="name"
          style={{ paddingLeft: `${Math.min(depth, deepestIndent) * 8 + (isOpen === undefined ? 24 : 0)}px` }}
        >
          {isOpen !== undefined && (
            <span class="twist" aria-hidden="true">
              {isOpen ? "\u25be" : "\u25b8"}
            </span>
          )}
          {box !== undefined && <span class={`tick ${box}`} aria-hidden="true" />}
          {note && <span class="note">{note} </span>}
          {name + (unit ?? "")}
        </span>
        {source && <span class="source">{source}</span>}
      </div>
    );
  }
}
