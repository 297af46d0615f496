/** A field of an element, as the schema of designs has it. */
export interface FormField {
  name: string;
  section: "place" | "content" | "look" | "more";
  control: "length" | "integer" | "choice" | "color" | "ink" | "font" | "template" | "condition" | "letters" | "json";
  /** The schema's description. */
  help: string;
  options?: readonly string[];
  isRequired?: boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}
