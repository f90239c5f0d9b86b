// What other programs can import.
