// Who sends to whom, how large messages are, and what collective operations took.
import { DataTable } from "../charts/data_table";
import type { ReportDocument } from "../report_types";
import type { ReportStore } from "../state/report_store";
import { countText } from "../text/number_text";
import { visible } from "../text/visible_names";
import { Matrix } from "./matrix";
import { SelectionNote } from "./selection_note";

type CommunicationData = NonNullable<ReportDocument["communication"]>;
interface CommunicationProps {
  store: ReportStore;
  communication: CommunicationData;
}

const quantityName = (column: string): string => column.replace("_", " ");

export function Communication({ store }: { store: ReportStore }) {
  const { communication } = store.report.meta;
  if (!communication)
    return (
      <p>
        This report does not say which process sent to which (communication): it was written without that, or by another
        tool.
      </p>
    );
  return (
    <>
      <SelectionNote store={store} passesOver={["metric", "call path", "place", "time"]} />
      <SentMatrix store={store} communication={communication} />
      <DataTable
        store={store}
        id="sizes"
        label="Messages by size"
        columns={["from (bytes)", "below (bytes)", "messages", "bytes"]}
        rows={communication.sizes.rows.map((row) => ({ cells: row.map(Number) }))}
      />
      <CollectiveTable store={store} communication={communication} />
    </>
  );
}

/** The matrix of one of the quantities that are known and not zero everywhere. */
function SentMatrix({ store, communication }: CommunicationProps) {
  const { pairs, processes_per_block } = communication;
  const quantities = pairs.columns.slice(2).filter((_, i) => pairs.rows.some((row) => Number(row[i + 2]) > 0));
  if (quantities.length === 0) return <p>No process sent anything to another.</p>;
  const selected = quantities.includes(store.exchangedQuantity) ? store.exchangedQuantity : quantities[0]!;
  const column = pairs.columns.indexOf(selected);
  const select = (quantity: string) => {
    store.exchangedQuantity = quantity;
    store.changed();
  };
  return (
    <>
      <label>
        show{" "}
        <select value={selected} onChange={(event) => select(event.currentTarget.value)}>
          {quantities.map((quantity) => (
            <option value={quantity}>{quantityName(quantity)}</option>
          ))}
        </select>
      </label>
      <Matrix
        store={store}
        id="communication"
        caption={`Who sends to whom: ${quantityName(selected)}`}
        count={store.report.meta.processes.length}
        perIndex={processes_per_block}
        rowTitle="sender"
        columnTitle="receiver"
        nameOf={(process) => store.report.processName(process)}
        entries={pairs.rows
          .map((row) => ({ row: Number(row[0]), column: Number(row[1]), value: Number(row[column]) }))
          .filter(({ value }) => value > 0)}
        textOf={countText}
        unit={quantityName(selected)}
        unitScale={1}
      />
    </>
  );
}

function CollectiveTable({ store, communication }: CommunicationProps) {
  const { report } = store;
  const communicatorName = (communicator: number | string | null): string =>
    communicator === null ? "" : visible(report.meta.communicators[Number(communicator)]?.name ?? "");
  return (
    <DataTable
      store={store}
      id="collectives"
      label="Collective operations"
      columns={[
        "communicator",
        "operation",
        "operations",
        "calls",
        "bytes sent",
        "bytes received",
        "time in them (s)",
        "waits in them (s)",
      ]}
      rows={communication.collectives.rows.map(([communicator, operation, ...numbers]) => {
        const [operations, calls, bytesSent, bytesReceived, ticks, waitTicks] = numbers.map(Number);
        return {
          cells: [
            communicatorName(communicator!),
            visible(String(operation)),
            operations!,
            calls!,
            bytesSent!,
            bytesReceived!,
            report.seconds(ticks!),
            report.seconds(waitTicks!),
          ],
        };
      })}
    />
  );
}
