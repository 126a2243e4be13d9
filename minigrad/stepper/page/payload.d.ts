/**
 * What Python sends the page, as payload.py of each feature makes it; and what stands between.
 *
 * A key names a box or an edge of the picture: `n0` a node, `t0` a leaf, `s0` a group, `e0` an edge.
 */

export type Key = string;
export type VariantName = string;

/** Where the result of an op stands, seen from its operands. */
export type Direction = "right" | "down";
/** A picture in each direction that the page may choose from. */
export type PictureTexts = Partial<Record<Direction, string>>;

/** Values, each from a step on, in order: the last that has begun is the one that counts. */
export type Timeline<Value> = [start: number, value: Value][];

/** The model of a widget, as anywidget gives it; in an exported page, a stand-in without `send`. */
export interface Model {
  // a trait is what its name says, and whoever reads it knows what that is
  // biome-ignore lint/suspicious/noExplicitAny: the type of a trait depends on its name
  get(name: string): any;
  set(name: string, value: unknown): void;
  on(event: string, call: Listener): void;
  off(event: string, call: Listener): void;
  save_changes(): void;
  send?(content: object): void;
  /** Of a page that shows nothing else. */
  addressBar?: import("./address.js").AddressBar;
}
// biome-ignore lint/suspicious/noExplicitAny: what is heard depends on the event
export type Listener = (content: any, buffers: DataView[]) => void;

/** `[step, serial, variant]`: where a widget stands, by the page or by Python. */
export type Place = [step: number, serial: number, variant: VariantName];

// ---- the stepper

export interface StepperPayload {
  mode: "step";
  orders: Choice[];
  grains: Choice[];
  code: (string | null)[];
  /** Of each view, what is said while it is still to come. */
  windows: string[];
  groups: { named: Group[]; folded: boolean; open: boolean };
  /** Whether constants are boxes; null if there are none that could be. */
  constants: boolean | null;
  variants: Record<VariantName, VariantSummary>;
  index: Index | null;
  views: Record<number, View>;
  predict: boolean;
  direction: Direction | "auto";
}
/** With what stays the same however much is folded, and is sent by itself. */
export type StepperData = StepperPayload & { questions: Questions; why: Why };
export type Choice = [value: string, text: string];

export interface VariantSummary {
  order: string;
  grain: string;
  /** Under which key all of it is sent: variants that are the same are sent once. */
  same: VariantName;
  length: number;
  /** The number of the view that is shown. */
  shown: Timeline<number>;
  /** The first of the steps that are shown together; null where each is shown by itself. */
  stops: number[] | null;
  /** The steps with a question. */
  asked: number[];
  /** Of each other that is not the same, and of each step: the step that is about the same. */
  moments: Record<VariantName, number[]>;
}

export interface Group {
  key: Key;
  name: string;
  folded: boolean;
  /** Its first node. */
  first: number;
}

/** What nodes of a large graph are found by. */
export interface Index {
  ops: string[];
  /** Of each node, the place of its op. */
  op_of: number[];
  /** Of each node that has one, its name as code knows it. */
  names: Record<number, string>;
  /** Where that is another one, the name as it is drawn: as a whole, and in a line. */
  drawn?: Record<number, string[]>;
  /** Of each node, the step that visits it first. */
  visits: Record<VariantName, (number | null)[]>;
}

/** One picture, and all that is told beside it. */
export interface View {
  pictures: PictureTexts;
  /** Of each box, what an overview has in it. */
  brief: Record<Key, string[]>;
  edges: Record<Key, [source: Key, target: Key]>;
  nodes: Entry[];
  groups: Group[];
  tensors: Record<Key, TensorSummary>;
  marks: Record<Key, Mark>;
  variants: Record<VariantName, Variant>;
  tables: ArrayTable[];
  /** What is said in place of a gradient, `{}` where the name belongs. */
  without_gradient: { frozen: string; yet: string };
  /** Of each edge of the graph, what is lit for it. */
  lit: Key[][];
}
/** With the paths, which are the same in all views. */
export type ShownView = View & { why: Why };

/** A line of a list: the steps that it stands for, and what it says. */
export interface Entry {
  key?: Key;
  text: string;
  code?: string;
  step: number;
  last: number;
}

export interface TensorSummary {
  name: string;
  about: string;
  frozen: boolean;
  /** The place of the table of its values. */
  value: number;
}

/** A piece of code: its lines, and in the first and the last of them its columns; 0: to the end. */
export type Mark = [first: number, last: number, start: number, end: number];

export interface Variant {
  film: Film;
  steps: Record<number, Step>;
  order: Entry[];
  table: GradientRow[];
  /** Of each tensor, the places of the tables of its gradients. */
  gradients: Record<Key, Timeline<number>>;
  /** Of each sign, the step that records what it stands for, and the one that visits it. */
  signs: Record<Key, [recorded: number, visited: number]>;
}

export type Film = Record<Key, { kind: string; looks: Look[] }>;
/** From a step on; of a row that stays as it was, null is sent. */
export type Look = [start: number, state: string, changed: boolean, rows: (string | null)[]];

/** What is told of a step. */
export interface Words {
  title: string;
  sentence: string;
  formulas: string[];
  wrong?: boolean;
}
export interface Step extends Words {
  kind: string;
  key: Key;
}

export interface GradientRow {
  key: Key;
  name: string;
  value: Timeline<string>;
  before: Timeline<string>;
  after: Timeline<string>;
  /** The steps that set the gradient. */
  changed: number[];
}

/** An array as the inspector shows it; a single number has a label alone. */
export interface ArrayTable {
  label: string;
  rows: string[];
  columns: string[];
  texts: string[][];
  shades: (number | null)[][];
  figures: [name: string, number: string][];
}

/** The paths behind the gradients. */
export interface Why {
  told?: Record<Key, { title: string; total: string; paths: Path[]; notes: string[] }>;
  failed?: string;
}
export type Path = [line: string, edges: number[]];

// ---- predict; texts are meant by their numbers

export interface Questions {
  texts: string[];
  /** By variant and step. */
  lists: Record<VariantName, Record<number, Question>>;
  words: Record<string, string>;
}
export interface Question {
  question: number;
  about: number;
  told: number;
  answer: [value: number, tolerance: number];
  mistakes: [value: number, tolerance: number, hint: number][];
  otherwise: number;
  choices: [value: number, label: number][];
}

// ---- the live graph

export interface LivePayload {
  pictures: PictureTexts;
  kinds: Record<Key, string>;
  looks: Record<Key, Look>;
  brief: Record<Key, string[]>;
  newest: Key;
  description: string;
  message: string;
}

// ---- nudge

export interface NudgePayload {
  mode: "nudge";
  pictures: PictureTexts;
  kinds: Record<Key, string>;
  brief: Record<Key, string[]>;
  description: string;
  output: string;
  handles: Handle[];
  now: Nudged;
}
export interface Handle {
  key: Key;
  name: string;
  frozen: boolean;
  start: number;
  step: number;
  /** How far the slider goes to each side. */
  steps: number;
}
/** All that is shown for some values of the leaves. */
export interface Nudged {
  values: Record<Key, number>;
  /** The leaf that was moved last. */
  moved: Key;
  nudges: Record<Key, string>;
  gradients: Record<Key, string>;
  boxes: Record<Key, Look>;
  /** The edges at work. */
  edges: Key[];
  promised: string;
  exact: string;
  difference: string;
  shrinking: string;
  sentence: string;
  plot: string;
}

// ---- compare

export type Pair<Value> = [left: Value, right: Value];

export interface ComparePayload {
  mode: "compare";
  titles: Pair<string>;
  views: Pair<View>;
  why: Pair<Why>;
  /** At each moment, the step that each side shows. */
  moments: Pair<number>[];
  /** At each moment, a title and clauses; in a clause a number stands for the words of that side. */
  told: [title: string, clauses: Clause[]][];
  rows: CommonRow[];
}
export type Clause = (string | number)[];

/** A row of the common table; a side that has no such tensor, or no gradient of it, has null. */
export interface CommonRow {
  /** Of the boxes in which it is. */
  keys: Pair<Key | null>;
  name: string;
  values: Pair<Timeline<string> | null>;
  gradients: Pair<Timeline<string> | null>;
  /** What differs, such as `≠ value`; or nothing. */
  marks: Timeline<string>;
}
