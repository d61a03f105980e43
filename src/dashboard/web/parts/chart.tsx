// Charts over time, drawn as SVG, each with a table of the same figures for screen readers.
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Card } from "./common-parts.tsx";

interface ChartStep {
  at: string;
  /** Stacked in bars, side by side as lines. */
  values: readonly (number | null)[];
}

interface ChartProps {
  title: string;
  names: readonly string[];
  steps: readonly ChartStep[];
  kind: "bars" | "lines";
  format?: (value: number) => string;
}

const height = 168;
const foot = 20;
const left = 44;
/** Of a letter below the columns; and the room between two times. */
const letterWidth = 6.4;
const gap = 14;
const widestBar = 36;

function Chart({ title, names, steps, kind, format = (value) => value.toLocaleString() }: ChartProps) {
  const [box, width] = useWidth();
  const sums = steps.map(({ values }) =>
    kind === "bars"
      ? values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
      : Math.max(...values.map((value) => value ?? 0)),
  );
  const top = niceTop(Math.max(...sums, 1));
  const columnWidth = (width - left) / Math.max(steps.length, 1);
  const y = (value: number) => (height - foot) * (1 - value / top) + 4;
  const x = (place: number) => left + columnWidth * (place + 0.5);
  const ticks = ticksOf(steps, { columnWidth, x, right: width });

  return (
    <figure>
      <svg ref={box} className="chart" viewBox={`0 0 ${width} ${height + 8}`} role="img" aria-label={title}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="rule" x1={left} x2={width} y1={y(top * part)} y2={y(top * part)} />
            <text x={left - 8} y={y(top * part) + 4} textAnchor="end">
              {format(top * part)}
            </text>
          </g>
        ))}
        {kind === "bars" ? steps.map((step, place) => bars(step, place, { x, y, columnWidth })) : null}
        {kind === "lines" ? names.map((name, series) => line(name, series, steps, { x, y })) : null}
        {ticks.map(({ text, at }) => (
          <text key={text} className="tick" x={at} y={height + 2} textAnchor="middle">
            {text}
          </text>
        ))}
        {steps.map((step, place) => (
          <g key={step.at} className="column">
            <rect className="hit" x={left + columnWidth * place} y={0} width={columnWidth} height={height - foot + 4}>
              <title>{tip(step, names, format)}</title>
            </rect>
          </g>
        ))}
      </svg>
      <figcaption className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {steps.map((step) => (
              <tr key={step.at}>
                <th scope="row">{new Date(step.at).toLocaleString()}</th>
                {step.values.map((value, series) => (
                  <td key={names[series]}>{value === null ? "none" : `${names[series]}: ${format(value)}`}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figcaption>
    </figure>
  );
}

/** As wide as there is room, so that letters keep their shape. */
function useWidth(): [RefObject<SVGSVGElement | null>, number] {
  const box = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.max(entry?.contentRect.width ?? 0, 200)));
    if (box.current) watcher.observe(box.current);
    return () => watcher.disconnect();
  }, []);
  return [box, width];
}

interface Scale {
  x(place: number): number;
  y(value: number): number;
}

function bars(
  { at, values }: ChartStep,
  place: number,
  { x, y, columnWidth }: Scale & { columnWidth: number },
): ReactNode {
  const barWidth = Math.min(Math.max(columnWidth * 0.62, 1), widestBar);
  let below = 0;
  return values.map((value, series) => {
    const start = below;
    below += value ?? 0;
    if (!value) return null;
    return (
      <rect
        key={`${at}-${series}`}
        className={series === 0 ? "bar" : "bar second"}
        x={x(place) - barWidth / 2}
        y={y(below)}
        width={barWidth}
        height={Math.max(y(start) - y(below), 1)}
        rx={Math.min(2, barWidth / 3)}
      />
    );
  });
}

/** Gaps stay gaps; a single value between gaps is a dot. */
function line(name: string, series: number, steps: readonly ChartStep[], { x, y }: Scale): ReactNode {
  const value = (place: number) => steps[place]?.values[series] ?? null;
  const points = steps.flatMap((_, place) => {
    const here = value(place);
    return here === null
      ? []
      : [{ place, here, isFirst: value(place - 1) === null, isLast: value(place + 1) === null }];
  });
  const path = points.map(
    ({ place, here, isFirst }) => `${isFirst ? "M" : "L"}${x(place).toFixed(1)} ${y(here).toFixed(1)}`,
  );
  const alone = points.filter(({ isFirst, isLast }) => isFirst && isLast);
  const second = series === 0 ? "" : " second";
  return (
    <g key={name}>
      <path className={`line${second}`} d={path.join("")} />
      {alone.map(({ place, here }) => (
        <circle key={place} className={`dot${second}`} cx={x(place)} cy={y(here)} r={3} />
      ))}
    </g>
  );
}

function tip({ at, values }: ChartStep, names: readonly string[], format: (value: number) => string): string {
  const lines = values.map((value, series) => `${names[series]}: ${value === null ? "none" : format(value)}`);
  return [new Date(at).toLocaleString(), ...lines].join("\n");
}

function spanOf(steps: readonly ChartStep[]): number {
  return Date.parse(steps[1]?.at ?? "") - Date.parse(steps[0]?.at ?? "");
}

interface Room {
  columnWidth: number;
  x(place: number): number;
  right: number;
}

/** Hours between two times that read well. */
const hourSteps = [1, 2, 3, 4, 6, 8, 12, 24];

/** The times below the columns: as many as have room, at round hours of the reader's clock. */
function ticksOf(steps: readonly ChartStep[], { columnWidth, x, right }: Room): { text: string; at: number }[] {
  const isDays = steps.length < 2 || spanOf(steps) >= 86_400_000;
  const texts = steps.map(({ at }) => shortTime(at, isDays));
  const room = Math.max(...texts.map(({ length }) => length), 1) * letterWidth;
  const least = Math.ceil((room + gap) / columnWidth);
  const every = isDays ? least : (hourSteps.find((hours) => hours >= least) ?? 24);
  return steps.flatMap(({ at: time }, place) => {
    const at = x(place);
    const isRound = (isDays ? place : new Date(time).getHours()) % every === 0;
    return isRound && at + room / 2 <= right ? [{ text: texts[place] ?? "", at }] : [];
  });
}

/** A full hour needs no minutes where the reader's clock says AM or PM. */
const hasHalves = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hour12 === true;

function shortTime(at: string, isDays: boolean): string {
  const date = new Date(at);
  if (isDays) return date.toLocaleDateString(undefined, { day: "numeric", month: "short" });
  const isFull = hasHalves && date.getMinutes() === 0;
  return date.toLocaleTimeString(undefined, { hour: "numeric", ...(isFull ? {} : { minute: "2-digit" }) });
}

/** The next number that reads well and has a whole half. */
function niceTop(value: number): number {
  if (value <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((step) => step * power >= value && (step * power) % 2 === 0) ?? 10) * power;
}

interface Share {
  name: string;
  value: number;
}

/** What makes up a whole, the largest first. */
export function Shares({ list, isBad = false }: { list: readonly Share[]; isBad?: boolean }) {
  const most = Math.max(...list.map(({ value }) => value), 1);
  return (
    <ul className="shares">
      {list.map(({ name, value }) => (
        <li key={name}>
          <span className="cut">{name}</span>
          <span>{value.toLocaleString()}</span>
          <span className="track" aria-hidden="true">
            <span className={isBad ? "fill bad" : "fill"} style={{ width: `${(100 * value) / most}%` }} />
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ChartCardProps extends Omit<ChartProps, "title" | "kind"> {
  heading: string;
  kind?: ChartProps["kind"];
  /** What screen readers call the chart. */
  title?: string;
  actions?: ReactNode;
}

export function ChartCard({
  heading,
  actions,
  kind = "bars",
  title = `${heading} over time`,
  ...chart
}: ChartCardProps) {
  return (
    <Card title={heading} actions={actions}>
      <div className="card-body">
        <Chart title={title} kind={kind} {...chart} />
      </div>
    </Card>
  );
}

/** Parts of a whole, or what is said while it is empty. */
export function SharesCard({
  title,
  list,
  empty,
  isBad = false,
}: ComponentProps<typeof Shares> & { title: string; empty: ReactNode }) {
  return (
    <Card title={title}>
      {list.length === 0 ? (
        empty
      ) : (
        <div className="card-body">
          <Shares list={list} isBad={isBad} />
        </div>
      )}
    </Card>
  );
}
