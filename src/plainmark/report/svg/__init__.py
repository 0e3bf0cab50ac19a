"""Figures as inline SVG: readable without colour, in print and in the dark.

Every figure is an `Element`: plain data with a title and a description, rendered as markup by a template. Marks have hover
titles. Colours are classes, which the style sheet of the page defines. Positions are in pixels.
"""
