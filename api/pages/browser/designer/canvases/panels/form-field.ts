/** A field of an element, as described by the schema of designs. */
export interface FormField {
  name: string;
  section: "place" | "content" | "look" | "more";
  control: "length" | "integer" | "choice" | "color" | "ink" | "font" | "template" | "condition" | "letters" | "json";
  /** The schema's description of the field. */
  help: string;
  options?: readonly string[];
  isRequired?: boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}
